"""Base64 of chunks, of which each decodes by itself."""
import base64
import binascii


def decode(text: str) -> bytes | None:
    """The bytes; None if it is not Base64. Standard alphabet; padding may be left out."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def encode(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
