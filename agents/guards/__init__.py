"""What code decides about a run: its policy, and what its answer may claim."""
