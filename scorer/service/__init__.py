"""The one place where camera, rules and screens meet: the HTTP service, its store and the command line."""
