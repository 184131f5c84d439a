"""Remote benchmarks: how often a job is asked, and how long silence is borne."""

from dashboard import env

LIKEWISE_JOB_POLL_S = env.integer("LIKEWISE_JOB_POLL_MS", 1000, least=50, most=60_000) / 1000
# How long one task watches a job before it lets another target's have its worker.
LIKEWISE_JOB_SLICE_S = env.integer("LIKEWISE_JOB_SLICE_S", 5, least=1, most=60)
# How long a worker may be silent before another takes its job up, and a target before its job is lost.
LIKEWISE_JOB_LEASE_S = env.integer("LIKEWISE_JOB_LEASE_S", 60, least=1, most=3600)
LIKEWISE_JOB_LOST_S = env.integer("LIKEWISE_JOB_LOST_S", 900, least=1, most=86_400)
LIKEWISE_JOB_GRACE_S = env.integer("LIKEWISE_JOB_GRACE_S", 10, least=0, most=600)
LIKEWISE_JOB_SAMPLE_S = env.integer("LIKEWISE_JOB_SAMPLE_MS", 1000, least=100, most=60_000) / 1000
LIKEWISE_JOB_CLOCK_S = env.integer("LIKEWISE_JOB_CLOCK_MS", 2000, least=10, most=60_000) / 1000
LIKEWISE_JOB_CONNECT_S = env.integer("LIKEWISE_JOB_CONNECT_S", 10, least=1, most=120)
LIKEWISE_JOB_OUTPUT_BYTES = env.integer("LIKEWISE_JOB_OUTPUT_BYTES", 16 * 1024**2, least=1024, most=1024**3)
LIKEWISE_SIMULATOR_PORT = env.integer("LIKEWISE_SIMULATOR_PORT", 8791, least=1, most=65_535)
CELERY_BEAT_SCHEDULE = {
    "jobs: look after silent ones": {
        "task": "runs.tasks.sweep_jobs",
        "schedule": float(env.integer("LIKEWISE_JOB_SWEEP_S", 15, least=1, most=600)),
        # A sweep that waited in the queue longer than this is one too many.
        "options": {"expires": 60},
    },
}
CELERY_BEAT_MAX_LOOP_INTERVAL = 1
