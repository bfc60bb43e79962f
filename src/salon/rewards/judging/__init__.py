"""Judges from the shell: ask one about picture files, probe it, weigh a council's members, serve it."""
