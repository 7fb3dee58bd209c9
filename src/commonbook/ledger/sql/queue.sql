-- The queue. Nothing here looks at processed rows: an idle check and a claim cost the same however long the history is.
-- "state <> 'processed'" is said again where it is implied, because only so SQLite uses the index that leaves them out.

-- :name has_pending
SELECT EXISTS (SELECT 1 FROM observations WHERE state = 'pending')

-- :name has_active_job
SELECT EXISTS (SELECT 1 FROM jobs WHERE state IN ('running', 'retry'))

-- :name active_jobs
SELECT id, scope, task_kind, state, token, generation, expires_at, owner, attempts, recoveries, available_at, issue, changed_at
FROM jobs WHERE state IN ('running', 'retry') ORDER BY available_at, id

-- :name job
SELECT id, scope, task_kind, state, token, generation, expires_at, owner, attempts, recoveries, available_at, issue, changed_at
FROM jobs WHERE id = ?

-- :name mending_jobs
-- Paused until the person has mended a document: the rest of that scope waits behind them.
SELECT id, scope FROM jobs
WHERE state = 'paused' AND issue IN ('DOCUMENT_OUTSIDE_GRAMMAR', 'SENSITIVE_SECTION', 'DOCUMENT_FULL', 'UNSAFE_FILE',
    'FILE_TOO_LARGE', 'FILE_UNREADABLE')

-- :name misconfigured_jobs
SELECT id, recoveries FROM jobs WHERE state = 'paused' AND issue = 'CONFIGURATION' AND configuration IS NOT :configuration

-- :name first_scope
SELECT MIN(scope) FROM observations WHERE state = 'pending'

-- :name next_scope
SELECT MIN(scope) FROM observations WHERE state = 'pending' AND scope > ?

-- :name head_of_scope
SELECT id, observed_at, batch, provenance, task_kind FROM observations
WHERE state = 'pending' AND scope = ? ORDER BY observed_at, id LIMIT 1

-- :name run_of_scope
-- The oldest pending rows of a scope that belong to no session batch stand together only while nothing else comes between.
SELECT id, batch, provenance, task_kind FROM observations
WHERE state = 'pending' AND scope = ? ORDER BY observed_at, id LIMIT ?

-- :name batch_rows
SELECT o.id, o.scope, o.source, o.provenance, o.text, o.observed_at, o.turn, o.ordinal, o.label, o.provider_class, t.provider
FROM observations AS o INDEXED BY observations_batch LEFT JOIN turns AS t ON t.id = o.turn
WHERE o.batch = ? AND o.state = 'pending' AND o.scope = ? ORDER BY t.ordinal, o.ordinal, o.observed_at, o.id

-- :name rows_by_id
SELECT o.id, o.scope, o.source, o.provenance, o.text, o.observed_at, o.turn, o.ordinal, o.label, o.provider_class, t.provider
FROM observations AS o LEFT JOIN turns AS t ON t.id = o.turn
WHERE o.id IN (SELECT value FROM json_each(?)) ORDER BY o.observed_at, o.id

-- :name job_rows
SELECT o.id, o.scope, o.source, o.provenance, o.text, o.observed_at, o.turn, o.ordinal, o.label, o.provider_class, t.provider
FROM observations AS o INDEXED BY observations_job LEFT JOIN turns AS t ON t.id = o.turn
WHERE o.job = ? AND o.state = 'claimed' ORDER BY t.ordinal, o.ordinal, o.observed_at, o.id

-- :name put_job
INSERT INTO jobs (id, scope, task_kind, state, token, generation, expires_at, owner, considered_by, attempts, available_at,
    configuration, created_at, changed_at)
VALUES (:id, :scope, :task_kind, 'running', :token, 1, :expires_at, :owner, :considered_by, 1, :now, :configuration, :now, :now)

-- :name claim_job_again
UPDATE jobs SET state = 'running', token = :token, generation = generation + 1, expires_at = :expires_at, owner = :owner,
    considered_by = :considered_by, attempts = attempts + 1, issue = NULL, configuration = :configuration, changed_at = :now
WHERE id = :id AND state = 'retry'

-- :name renew
UPDATE jobs SET expires_at = :expires_at, changed_at = :now
WHERE id = :id AND token = :token AND generation = :generation AND state = 'running' AND expires_at > :now

-- :name lease
SELECT expires_at, recoveries FROM jobs WHERE id = :id AND token = :token AND generation = :generation AND state = 'running'

-- :name spend_recovery
UPDATE jobs SET recoveries = recoveries + 1, diagnostic = :diagnostic WHERE id = :id

-- :name rest_job
-- The lease ends here, whatever comes next: its token is gone.
UPDATE jobs SET state = :state, token = NULL, expires_at = NULL, owner = NULL, issue = :issue, diagnostic = :diagnostic,
    recoveries = :recoveries, available_at = :available_at, changed_at = :now, finished_at = :finished_at
WHERE id = :id

-- :name wake_job
UPDATE jobs SET state = 'retry', issue = NULL, available_at = :now, changed_at = :now, finished_at = NULL, recoveries = :recoveries
WHERE id = :id

-- :name assign
UPDATE observations SET state = 'claimed', job = :job, issue = NULL WHERE id IN (SELECT value FROM json_each(:ids))

-- :name move_job_rows
UPDATE observations SET state = :state, issue = :issue WHERE job = :job AND state IN ('claimed', 'paused', 'dead')

-- :name free_job_rows
UPDATE observations SET state = :state, issue = :issue, job = NULL WHERE job = :job AND state IN ('claimed', 'paused', 'dead')

-- :name set_rows
UPDATE observations SET state = :state, issue = :issue, job = NULL WHERE id IN (SELECT value FROM json_each(:ids))

-- :name hold_scope
UPDATE observations SET state = 'held', issue = :issue WHERE state = 'pending' AND scope = :scope

-- :name hold_provenance
UPDATE observations SET state = 'held', issue = :issue WHERE state = 'pending' AND scope = :scope AND provenance = :provenance

-- :name release_scope
UPDATE observations SET state = 'pending', issue = NULL
WHERE state = 'held' AND issue = :issue AND scope = :scope AND state <> 'processed'

-- :name held_groups
SELECT issue, scope, provenance FROM observations WHERE state = 'held' AND state <> 'processed' GROUP BY issue, scope, provenance

-- :name release_group
UPDATE observations SET state = 'pending', issue = NULL
WHERE state = 'held' AND issue = :issue AND scope = :scope AND provenance = :provenance AND state <> 'processed'

-- :name held_for_provider
SELECT o.id, o.provider_class, t.provider FROM observations AS o LEFT JOIN turns AS t ON t.id = o.turn
WHERE o.state = 'held' AND o.issue = 'PROVIDER_CLASS' AND o.state <> 'processed'

-- :name release_rows
UPDATE observations SET state = 'pending', issue = NULL WHERE id IN (SELECT value FROM json_each(:ids)) AND state = 'held'

-- :name item
SELECT id, state, issue, job, text IS NOT NULL FROM observations WHERE id = ? ORDER BY generation DESC LIMIT 1

-- :name items_of_job
SELECT id FROM observations WHERE job = ? AND state <> 'processed'

-- :name items
-- A refused message (put aside without its words) only remembers an identity: nothing waits, and nobody has to decide.
SELECT o.id, o.state, o.issue, o.scope, o.host, o.observed_at, o.bytes, COALESCE(j.attempts, 0), j.available_at, o.job, j.state,
    j.issue
FROM observations AS o LEFT JOIN jobs AS j ON j.id = o.job
WHERE o.state <> 'processed' AND NOT (o.state = 'quarantined' AND o.text IS NULL) AND (:state IS NULL OR o.state = :state)
ORDER BY o.observed_at, o.id LIMIT :limit

-- :name items_by_id
SELECT o.id, o.state, o.issue, o.scope, o.host, o.observed_at, o.bytes, COALESCE(j.attempts, 0), j.available_at, o.job, j.state,
    j.issue
FROM observations AS o LEFT JOIN jobs AS j ON j.id = o.job
WHERE o.id IN (SELECT value FROM json_each(?)) ORDER BY o.observed_at, o.id

-- :name count_unfinished
SELECT COUNT(*) FROM observations
WHERE state <> 'processed' AND NOT (state = 'quarantined' AND text IS NULL) AND (:state IS NULL OR state = :state)

-- :name counts
SELECT state, COUNT(*) FROM observations WHERE state <> 'processed' AND NOT (state = 'quarantined' AND text IS NULL) GROUP BY state

-- :name count_processed
SELECT (SELECT COUNT(*) FROM observations) - (SELECT COUNT(*) FROM observations WHERE state <> 'processed')

-- :name job_counts
SELECT state, COUNT(*) FROM jobs GROUP BY state ORDER BY state

-- :name needs_person
-- Put aside with their words kept; what was refused or forgotten has none, and nags nobody.
SELECT COUNT(*) FROM observations WHERE state IN ('quarantined', 'dead') AND text IS NOT NULL AND state <> 'processed'

-- :name unprocessed_bytes
SELECT bytes FROM unprocessed WHERE session = ''

-- :name discard
UPDATE observations SET text = NULL, bytes = 0, state = 'processed', issue = NULL, considered_by = 'person', processed_at = :now
WHERE id = :id

-- :name drop_blocks
DELETE FROM blocks WHERE bundle = ?
