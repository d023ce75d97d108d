"""Make the page of the workbench: modules of JavaScript, what they know, and Python that is translated for them."""
