"""Every page and every picture: what was simulated, swept, measured, designed, learnt and published.

`simulation`, `bench`, `sweep`, `inspection`, `design` and `paper` say what is to be read; `html` makes pages of it,
`pictures` files of what `png`, `maps` and `curves` draw.
"""
