from tests.learning.conftest import bent, chance, either, net

__all__ = ["bent", "chance", "either", "net"]
