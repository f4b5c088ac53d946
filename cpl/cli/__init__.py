"""The commands: the only place that reads arguments, prints, or exits."""
