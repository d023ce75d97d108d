"""Every page and every picture: what was simulated, swept, measured, designed, learnt and published.

`simulation`, `bench`, `sweep`, `inspection` and `design` say what is to be read; `html` makes pages of it.
`curves` and `bonds` return charts, which a page draws by a script and `drawing` as a picture; `pictures` makes files of
what `drawing`, `png` and `maps` draw.
"""
