"""The app: the only code that imports streamlit."""
