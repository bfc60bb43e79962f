"""What this machine has of what salon needs: `salon setup` installs it, `salon doctor` says what works."""
