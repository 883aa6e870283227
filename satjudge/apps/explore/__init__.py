"""Makes the page to play with: the questions that it asks, the server on one's own machine, and the site of static files."""
