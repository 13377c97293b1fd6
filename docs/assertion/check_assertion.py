import re
from base64 import urlsafe_b64encode
from hashlib import sha256

import jwt  # PyJWT[crypto]


class AssertionCheck:
    """Checks requests: it raises jwt.PyJWTError when one did not come through the gate."""

    def __init__(self, keys: str, issuer: str, audience: str, covers: str = "request"):
        """keys: the address of the gate's /postern/api/jwks.json; covers: as assertion.covers there"""
        self.keys = jwt.PyJWKClient(keys)
        self.issuer = issuer
        self.audience = audience
        self.claim, self.is_covered = (
            ("target_prefix", is_below) if covers == "prefix" else ("target_sha256", has_digest)
        )

    def __call__(self, assertion: str, method: str, target: str) -> tuple[str, str]:
        """target: path and query as they arrived, percent signs and all. Returns user and role."""
        claims = jwt.decode(
            assertion,
            self.keys.get_signing_key_from_jwt(assertion).key,
            algorithms=["EdDSA"],
            issuer=self.issuer,
            audience=self.audience,
            # Seconds by which the clocks of two machines may differ.
            leeway=5,
            options={"require": ["exp", "iat", "sub", "role", "htm", self.claim]},
        )
        if claims["htm"] != method or not self.is_covered(claims[self.claim], target):
            raise jwt.InvalidTokenError("the assertion is of another request")
        return claims["sub"], claims["role"]


def has_digest(digest: str, target: str) -> bool:
    return digest == urlsafe_b64encode(sha256(target.encode("latin-1")).digest()).decode().rstrip("=")


def is_below(prefix: str, target: str) -> bool:
    path = target.split("?", 1)[0]
    if path == prefix:
        return True
    # Two segments cover more than themselves, but no path that could lead elsewhere.
    is_prefix = re.fullmatch(r"/[^/]+/[^/]+/", prefix) is not None
    leads_elsewhere = re.search(r"/\.{0,2}/|/\.{1,2}\Z|%2e|%2f|%5c|[\\;]", path, re.IGNORECASE)
    return is_prefix and path.startswith(prefix) and not leads_elsewhere
