"""Makes the page of `satjudge explore`: its questions, its server on the user's machine, and its site of static files."""
