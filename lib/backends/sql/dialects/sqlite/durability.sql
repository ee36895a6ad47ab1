-- How far this connection waits for the disk.
pragma synchronous;
