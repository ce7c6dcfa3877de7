"""The run service: from a link and commands to a link and a run, without Streamlit."""
