"""Makes the shipped models again: data, training, export and evaluation. Needs the `train` dependency group."""
