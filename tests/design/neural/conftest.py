from tests.learning.conftest import chance, net

__all__ = ["chance", "net"]
