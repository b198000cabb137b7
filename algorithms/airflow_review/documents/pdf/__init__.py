"""Rebuilds lines and tables of pdf pages from the coordinates of their glyphs and rules."""
