"""Evidence: every number that tools returned or the user wrote, with its place, its unit and its names."""
