"""Fisher's linear discriminant."""
