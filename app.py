"""`streamlit run app.py`: a shim, the app itself ships inside the package."""

import runpy
from pathlib import Path

import kpviz

runpy.run_path(str(Path(kpviz.__file__).parent / "app" / "main.py"), run_name="__main__")
