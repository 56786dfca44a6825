"""What is known of a table: where its tray lies in the picture and how large a die appears there."""
