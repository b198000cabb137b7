"""Parsers: one file in, one `Document` of lines and tables out."""
