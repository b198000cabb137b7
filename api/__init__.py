"""HTTP and the stream: parses, asks, answers."""
