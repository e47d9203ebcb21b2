"""What lives in a training job: the client, reward adapters, the algorithm. Speaks HTTP only."""
