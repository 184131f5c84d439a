"""What a run is: its figures, settings, evidence, storage and comparison."""
