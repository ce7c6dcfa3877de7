"""Pictures and films: the player's marks, made by its modules, and drawn by one painter."""
