"""What an editor shows of a CPL text: knowledge as plain values, without input and output."""
