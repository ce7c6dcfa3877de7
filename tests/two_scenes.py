"""A lesson of two scenes, with cues and a task, of which files are made."""

from kpviz.lessons.file import format

TEXT = """---
title: Two *scenes*
---
## The line
link: v=1&n=8&kernel=linear&epochs=1

```cues
start hold 0.2: None yet.
2 hold 0.2: Look.
```

```task number
ask: How many mistakes?
value: mistakes
```

## Another line
link: /fisher?v=1
"""
LESSON = format.read(TEXT)
