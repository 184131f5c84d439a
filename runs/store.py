"""The one gate between records and rows."""
