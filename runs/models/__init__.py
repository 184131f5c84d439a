from runs.models.accounts import ApiToken, User

__all__ = ["ApiToken", "User"]
