from base64 import urlsafe_b64encode
from hashlib import sha256

import jwt  # PyJWT[crypto]


class AssertionCheck:
    """Checks requests: it raises jwt.PyJWTError when one did not come through the gate."""

    def __init__(self, keys: str, issuer: str, audience: str):
        """keys: the address of the gate's /postern/api/jwks.json"""
        self.keys = jwt.PyJWKClient(keys)
        self.issuer = issuer
        self.audience = audience

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
            options={"require": ["exp", "iat", "sub", "role", "htm", "target_sha256"]},
        )
        digest = sha256(target.encode("latin-1")).digest()
        if claims["htm"] != method or claims["target_sha256"] != urlsafe_b64encode(digest).decode().rstrip("="):
            raise jwt.InvalidTokenError("the assertion is of another request")
        return claims["sub"], claims["role"]
