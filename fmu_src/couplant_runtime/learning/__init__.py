"""Learning while the coupling runs: what the algorithm `network` knows, how it is trained, when it is trusted.

`neural` is the neural network, `fields` the part of the state that only FMUs with one have, `embedded` trains inside
the step, `client` asks a server, `judge` decides whether new weights are taken.
"""
