"""What leaves for other servers: rows that wait for a worker, and the one client that asks another server."""
