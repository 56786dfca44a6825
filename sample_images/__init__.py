"""Pictures and a short video that the project rendered itself, with their truth."""
