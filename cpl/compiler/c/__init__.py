"""The C back end: functions of a program as C, from the core tree and the types of its values."""
