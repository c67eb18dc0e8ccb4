"""What a box that runs as a service needs beside the game: its watchdog, its log, its backups, its switch."""
