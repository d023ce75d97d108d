"""Content of a page that needs no other file: data, and scripts that its policy names by their hashes."""

from __future__ import annotations

import base64
import hashlib
import json


def inline_json(data: object) -> str:
    """Return `data` as JSON that may stand in a page: no text in it ends a script or begins a comment."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text.encode(errors="backslashreplace").decode()


def script_hash(script: str) -> str:
    """Return the name of a page's own `script` in a content security policy."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
