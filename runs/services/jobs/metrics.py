"""What a Prometheus server may ask of remote benchmarks."""

from runs.services.jobs import reads
from runs.services.jobs.queue import counts


def metrics() -> str:
    """Prometheus' text form: jobs waiting and running per target, and all by their state."""
    lines = [
        "# HELP likewise_jobs Jobs by state.",
        "# TYPE likewise_jobs gauge",
        *(f'likewise_jobs{{state="{state}"}} {count}' for state, count in counts().items()),
        "# HELP likewise_job_queue_length Jobs that wait, by target.",
        "# TYPE likewise_job_queue_length gauge",
    ]
    running = ["# HELP likewise_jobs_active Jobs that run now, by target.", "# TYPE likewise_jobs_active gauge"]
    for one in reads.targets():
        label = one.name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        lines.append(f'likewise_job_queue_length{{target="{label}"}} {one.queued}')
        running.append(f'likewise_jobs_active{{target="{label}"}} {int(one.active is not None)}')
    return "\n".join([*lines, *running, ""])
