"""What a command does, for Python: from a file of games to a rating list, a backtest, a calibration, a page."""
