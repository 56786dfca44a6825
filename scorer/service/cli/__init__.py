"""The `piste` command. Every subcommand imports what it needs only when it runs, so that `--help` is quick."""
