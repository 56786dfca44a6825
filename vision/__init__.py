"""From frames to rolls: sources, motion gate, detector, reader and roll watcher. Knows nothing of games."""
