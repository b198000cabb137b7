"""Feature packages; each registers its tools through the one door `tools.registry`."""
