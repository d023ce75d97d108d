"""The arena: an open benchmark of latency compensation, ours, that of others, and yours."""
