"""The Distributed Co-Simulation Protocol 1.0 (DCP) over UDP: sides of a bench as slaves, and a master for slaves."""
