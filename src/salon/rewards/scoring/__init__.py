"""Scores for files: pictures, sources and replies of any origin under a reward."""
