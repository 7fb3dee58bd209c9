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
-- The last turns of the same session before the first of these.
SELECT t.id FROM turns AS t
JOIN (SELECT session, MIN(ordinal) AS first FROM turns WHERE id IN (SELECT value FROM json_each(?)) GROUP BY session) AS now
    ON now.session = t.session AND t.ordinal < now.first
ORDER BY t.ordinal DESC LIMIT ?
