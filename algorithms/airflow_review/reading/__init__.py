"""What the documents say: texts and tables become plan and report extracts."""
