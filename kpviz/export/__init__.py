"""Files to be saved; the sizes of pictures and films, known before matplotlib is loaded.

Tests: tests/commands/test_plot.py, tests/app/test_pictures.py.
"""

SIZES = {
    "720p": (1280, 720),
    "1080p": (1920, 1080),
    "4:3": (1440, 1080),
    "square": (1080, 1080),
    "vertical": (1080, 1920),
}
# Slides' pictures have these sizes; a page of A4 has its size in a PDF, too.
PICTURES = {
    "16:9": (2560, 1440),
    "1080p": (1920, 1080),
    "4:3": (1920, 1440),
    "square": (1440, 1440),
    "vertical": (1440, 2560),
    "a4": (2338, 1654),
    "a4-upright": (1654, 2338),
}
RATES = (24, 25, 30, 50, 60)  # In frames per second.
