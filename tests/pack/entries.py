"""What an FMU holds: name and content of each entry, in order, however it is packed; the token is in one of them."""

import io
import zipfile


def entries(fmu):
    """Return the entries of an FMU, a path or bytes; what does not fit its checksum is an error."""
    with zipfile.ZipFile(io.BytesIO(fmu) if isinstance(fmu, bytes) else fmu) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]
