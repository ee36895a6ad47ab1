-- Brings rows back: a delay that ended, or a lease that nobody settled, which is a spent attempt. The order of the
-- assignments matters: each sees those before it.
-- What stands in a counter but is no count is left for the decoder to refuse.
update kinetis_queue_jobs
set
  attempts = case when state = 2 and attempts between 0 and 9007199254740990 then attempts + 1 else attempts end,
  serial = case when serial between 0 and 9007199254740990 then serial + 1 else serial end,
  `rank` = case when state = 2 then priority else `rank` end,
  token = null,
  state = 0
where seq in (:seqs);
