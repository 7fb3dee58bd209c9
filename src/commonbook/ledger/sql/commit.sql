-- What a commit, a forgetting and the pruning change. Everything a receipt says is applied by these statements.

-- :name claimed
SELECT id FROM observations INDEXED BY observations_job WHERE job = ? AND state = 'claimed' AND text IS NOT NULL

-- :name consume
UPDATE observations SET state = 'processed', issue = NULL, processed_at = :at,
    considered_by = (SELECT considered_by FROM jobs WHERE id = :job)
WHERE id IN (SELECT value FROM json_each(:ids)) AND state <> 'processed'

-- :name finish_job
UPDATE jobs SET state = 'done', token = NULL, expires_at = NULL, owner = NULL, issue = NULL, diagnostic = NULL,
    edit_result = :edit_result, agent = :agent, prompt_digest = :prompt_digest, turns = turns + :turns,
    tool_calls = tool_calls + :tool_calls, input_tokens = input_tokens + :input_tokens,
    output_tokens = output_tokens + :output_tokens, changed_at = :at, finished_at = :at
WHERE id = :job

-- :name put_said
INSERT INTO observations (id, host, origin, record, digest, content_digest, text, bytes, scope, source, provenance, task_kind,
    state, considered_by, channel, provider_class, observed_at, enqueued_at, processed_at)
VALUES (:id, 'commonbook', 'cli', :id, :digest, :content_digest, :text, :bytes, :scope, 'interactive', 'user_explicit',
    'observation', 'processed', 'person', 'cli', 'remote', :at, :at, :at)
ON CONFLICT DO NOTHING

-- :name put_forgotten
INSERT INTO forgotten_sources (scope, digest, forgotten_at) VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET forgotten_at = MAX(forgotten_at, excluded.forgotten_at)

-- :name same_words
SELECT id FROM observations WHERE scope = ? AND content_digest = ? AND observed_at <= ?

-- :name put_aside_forgotten
-- The same words that still wait, said before: they would only bring back what was forgotten.
UPDATE observations SET state = 'quarantined', issue = 'FORGOTTEN_SOURCE', job = NULL
WHERE id IN (SELECT value FROM json_each(?)) AND state <> 'processed'

-- :name finish_forgotten
-- A person knows that these words are gone: nothing of them waits, and nobody has to decide about them.
UPDATE observations SET state = 'processed', issue = NULL, job = NULL, considered_by = 'person', processed_at = :at
WHERE id IN (SELECT value FROM json_each(:ids)) AND state <> 'processed'

-- :name end_empty_jobs
-- A job that rests and has lost its last delivery would rest for ever.
UPDATE jobs SET state = 'done', issue = NULL, diagnostic = NULL, changed_at = :at, finished_at = :at
WHERE state IN ('retry', 'paused') AND NOT EXISTS (
    SELECT 1 FROM observations AS o WHERE o.job = jobs.id AND o.state <> 'processed')

-- :name texts_of_scope
SELECT id, text FROM observations WHERE scope = ? AND text IS NOT NULL

-- :name clear_texts
UPDATE observations SET text = NULL, bytes = 0 WHERE id IN (SELECT value FROM json_each(?)) AND text IS NOT NULL

-- :name drop_blocks
DELETE FROM blocks WHERE bundle IN (SELECT 'ingest_' || value FROM json_each(?))

-- :name turns_of
SELECT DISTINCT turn FROM observations WHERE id IN (SELECT value FROM json_each(?)) AND turn IS NOT NULL

-- :name silent_turns
-- Of these turns, those in which no user text is left: nothing of them can be shown beside it any more.
SELECT value FROM json_each(?)
WHERE NOT EXISTS (SELECT 1 FROM observations AS o WHERE o.turn = value AND o.text IS NOT NULL)

-- :name clear_context
UPDATE messages SET text = NULL, unavailable = :why WHERE turn IN (SELECT value FROM json_each(:turns))

-- :name prunable
SELECT id FROM observations WHERE state = 'processed' AND text IS NOT NULL AND processed_at < ? LIMIT 1000

-- :name prune_requests
DELETE FROM requests WHERE at < ?
