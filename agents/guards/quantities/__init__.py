"""Quantities in text: numbers with printed precision and unit, in Chinese and English, and the numerals that state none."""
