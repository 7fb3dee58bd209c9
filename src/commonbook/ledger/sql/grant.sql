-- What one run may read: the structure of its batch, and the conversation around it.

-- :name blocks
SELECT id, parent, kind, ordinal, start, stop, evidence FROM blocks WHERE bundle = ? ORDER BY CAST(SUBSTR(id, 2) AS INTEGER)

-- :name messages_of_turns
SELECT m.id, m.turn, m.role, m.at, m.path, m.start, m.length, m.digest, m.text, m.unavailable, s.host
FROM messages AS m JOIN turns AS t ON t.id = m.turn JOIN sessions AS s ON s.id = t.session
WHERE m.turn IN (SELECT value FROM json_each(?)) ORDER BY t.ordinal, m.ordinal

-- :name words_of_turns
SELECT id, scope, source, text, observed_at FROM observations
WHERE turn IN (SELECT value FROM json_each(?)) AND text IS NOT NULL ORDER BY observed_at, id

-- :name earlier_turns
-- The last turns of the same session before the first of these, as far as all their words may be shown to a run of this scope:
-- a session can move to another project, and what was put aside or held back is no context for the next turn either.
SELECT t.id FROM turns AS t
JOIN (SELECT session, MIN(ordinal) AS first FROM turns WHERE id IN (SELECT value FROM json_each(:turns)) GROUP BY session) AS now
    ON now.session = t.session AND t.ordinal < now.first
WHERE EXISTS (SELECT 1 FROM observations AS o WHERE o.turn = t.id)
    AND NOT EXISTS (SELECT 1 FROM observations AS o WHERE o.turn = t.id
        AND (o.scope <> :scope OR o.state NOT IN ('pending', 'claimed', 'processed')))
ORDER BY t.ordinal DESC LIMIT :limit
