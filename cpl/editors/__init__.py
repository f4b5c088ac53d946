"""Services for editors: facts about a CPL text as plain values, without input and output."""
