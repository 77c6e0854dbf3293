"""Boards compared: figures, fields and rankings."""
