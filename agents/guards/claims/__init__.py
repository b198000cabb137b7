"""What an answer claims to have been done, found by words that follow from the registered effects."""
