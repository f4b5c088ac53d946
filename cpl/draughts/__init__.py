"""What all games of draughts share: boards, positions, FEN, and the text of moves."""
