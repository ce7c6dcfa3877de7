"""A run, and what is sent of it when panels ask for more."""

from kpviz import experiment
from kpviz.player import payload
from kpviz.settings import Settings


class Sent:
    def __init__(self, *asked, **given):
        self.settings = Settings.of(**given)
        self.split = experiment.prepare(self.settings)
        self.run = experiment.run(self.settings, self.split)
        self.header, self.arrays = payload.unpack(payload.encode(self.settings, self.split, self.run, asked=asked))
        self.extras = [self.header["extras"][name] for name in asked]
