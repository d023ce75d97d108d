"""The seven stages of the pipeline, with what they are made of: the sender's clock, the residual detector, wrapping."""
