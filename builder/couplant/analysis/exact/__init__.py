"""The numbers inside an FMU, worked out with + - × ÷ and square roots only: the same bits on every machine.

What libm and BLAS give differs between machines in the last bits. Nothing here calls them, and every sum has one order.
"""
