-- Capture's place in each transcript.

-- :name get
SELECT path, position, waiting_bytes, grown_at FROM cursors WHERE host = ? AND root = ? AND session = ?

-- :name put
INSERT INTO cursors (host, root, session, path, position, waiting_bytes, grown_at, read_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET path = excluded.path, position = excluded.position, waiting_bytes = excluded.waiting_bytes,
    grown_at = excluded.grown_at, read_at = excluded.read_at

-- :name last_read
SELECT MAX(read_at) FROM cursors WHERE host = ?
