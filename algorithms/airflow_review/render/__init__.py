"""Reports of a review: JSON, Markdown, Word, Excel, HTML, from one content."""
