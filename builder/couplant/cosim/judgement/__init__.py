"""The judgement of a run: figures, stability, verdict."""
