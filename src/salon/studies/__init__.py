"""Published claims, tried again in miniature on the embedded painter."""
