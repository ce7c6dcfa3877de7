"""What the command `kpviz` starts: outside of the package, so that Ctrl+C may come while that is imported."""


def main() -> int:
    """Run the command line; return the exit code."""
    try:
        from kpviz import cli

        return cli.main()
    except KeyboardInterrupt:
        return 130
