-- Leases rows that were picked. `rank` is kept until the job returns; from now on it has no effect.
-- leaseSeconds: of a job that names none.
update kinetis_queue_jobs
set
  state = 2,
  token = :token,
  serial = case when serial between 0 and 9007199254740990 then serial + 1 else serial end,
  due_at = kinetis_now() + round(
    1000 * case when lease_seconds > 0 and lease_seconds < 1e12 then lease_seconds else :leaseSeconds end
  )
where seq in (:seqs);
