"""Remote benchmarks: verbs over targets, plans, jobs, schedules. A message only wakes; the row is the truth."""
