-- What taking in asks and stores. Nothing here is ever an UPDATE of a delivery: a replay revives nothing.

-- :name delivery
SELECT id, digest, task_kind, state, issue FROM observations
WHERE host = ? AND origin = ? AND record = ? ORDER BY generation DESC LIMIT 1

-- :name deliveries
-- Of these records, under whatever origin: a fork repeats them, and an orphan does not know where they were first said.
SELECT record, origin, origin_known, observed_at, digest, task_kind FROM observations
WHERE host = ? AND record IN (SELECT value FROM json_each(?)) ORDER BY generation DESC

-- :name forgets
SELECT 1 FROM forgotten_sources WHERE scope = ? LIMIT 1

-- :name forgotten
SELECT forgotten_at FROM forgotten_sources WHERE scope = ? AND digest = ?

-- :name own_session
SELECT 1 FROM own_sessions WHERE host = ? AND host_session = ?

-- :name put_own_session
INSERT INTO own_sessions (host, host_session, registered_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING

-- :name unprocessed
SELECT (SELECT bytes FROM unprocessed WHERE session = ''), (SELECT bytes FROM unprocessed WHERE session = ?)

-- :name session
SELECT id FROM sessions WHERE host = ? AND host_session = ?

-- :name put_session
INSERT INTO sessions (id, host, host_session, parent, path, cwd, scope, provider, started_at, last_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (host, host_session) DO UPDATE SET
    parent = COALESCE(excluded.parent, parent), path = COALESCE(excluded.path, path), cwd = COALESCE(excluded.cwd, cwd),
    scope = excluded.scope, provider = COALESCE(excluded.provider, provider), last_at = MAX(last_at, excluded.last_at)

-- :name turns
SELECT host_turn, id FROM turns WHERE session = ? AND host_turn IN (SELECT value FROM json_each(?))

-- :name last_turn
SELECT id, ordinal FROM turns WHERE session = ? ORDER BY ordinal DESC LIMIT 1

-- :name put_turn
INSERT INTO turns (id, session, ordinal, host_turn, state, settle_cause, provider, opened_at, settled_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)

-- :name records
SELECT record, ordinal FROM messages WHERE turn = ?

-- :name user_ordinals
SELECT MAX(ordinal) FROM observations WHERE turn = ?

-- :name has_words
SELECT 1 FROM observations WHERE turn = ? AND text IS NOT NULL LIMIT 1

-- :name put_message
INSERT INTO messages (turn, ordinal, record, role, at, path, start, length, digest, text, unavailable)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- :name put_batch
INSERT INTO batches (id, session, sealed_at) VALUES (?, ?, ?)

-- :name put_observation
INSERT INTO observations (id, host, origin, origin_known, record, digest, content_digest, text, bytes, scope, source, provenance,
    task_kind, state, issue, batch, turn, ordinal, path, start, length, images, channel, client, provider_class, label,
    observed_at, enqueued_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- :name add_unprocessed
INSERT INTO unprocessed (session, bytes) VALUES (?, ?) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes

-- :name put_block
INSERT INTO blocks (bundle, id, parent, kind, ordinal, start, stop, evidence) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
