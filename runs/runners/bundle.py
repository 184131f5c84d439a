"""The agent as one file: its modules in a zip that Python runs, named by its content so that versions never mix."""

import hashlib
import io
import zipfile
from functools import cache
from pathlib import Path

AGENT = Path(__file__).with_name("agent")
START = "import sys\nfrom likewise_agent.main import main\nsys.exit(main())\n"
FIXED_TIME = (2026, 1, 1, 0, 0, 0)


@cache
def agent() -> tuple[str, bytes]:
    """Name and bytes; the same bytes wherever and whenever they are made."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(zipfile.ZipInfo("__main__.py", FIXED_TIME), START)
        for path in sorted(AGENT.glob("*.py")):
            archive.writestr(zipfile.ZipInfo(f"likewise_agent/{path.name}", FIXED_TIME), path.read_bytes())
    content = packed.getvalue()
    return f"agent-{hashlib.sha256(content).hexdigest()[:16]}.pyz", content
