"""What Schemathesis sends where the API takes a backup or a photo: noise, torn archives, heads of pictures."""

from __future__ import annotations

import io
import zipfile

import schemathesis
from hypothesis import strategies as st


def packed(files: dict[str, bytes], cut: int) -> bytes:
    """An archive, shortened by so many bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    whole = buffer.getvalue()
    return whole[: len(whole) - cut]


NAMES = st.sampled_from(["games/00001.jsonl", "../../etc/passwd", "/x.jsonl", "a.jsonl", "\\..\\y.jsonl"])
CONTENTS = st.binary(max_size=200) | st.sampled_from([b"", b"{}\n", b"null\n", b'{"game":"silencio"}\n', b"[" * 5000])
ARCHIVES = st.builds(packed, st.dictionaries(NAMES, CONTENTS, max_size=3), st.integers(0, 40))

PHOTOS = st.sampled_from([b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"RIFF\x10\x00\x00\x00WEBP"])
schemathesis.openapi.media_type(
    "application/octet-stream", st.binary(max_size=400) | st.builds(bytes.__add__, PHOTOS, st.binary(max_size=200))
)
schemathesis.openapi.media_type("application/x-hush-release", st.binary(max_size=400))
schemathesis.openapi.media_type("application/zip", st.binary(max_size=400) | ARCHIVES)
