"""Pictures and films: the player's own marks, made by its modules in an embedded engine, and drawn
by one painter.
"""
