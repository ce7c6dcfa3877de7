"""What each support example contributes to the field, in as few bytes as its kernel allows."""
