"""What the review says to people, in Chinese and in English: sentences as data, found by key."""
