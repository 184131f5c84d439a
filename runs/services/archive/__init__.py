"""Everything as one file that another instance takes in with nothing lost."""

from runs.services.archive.reading import ArchiveError, Imported, import_archive
from runs.services.archive.writing import Exported, export_archive

__all__ = ["ArchiveError", "Exported", "Imported", "export_archive", "import_archive"]
