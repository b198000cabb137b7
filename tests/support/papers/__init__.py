"""A small plan and its measurement report as an engineer types them, and what differs in the documents of a test."""
