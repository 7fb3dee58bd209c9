-- Projects: which folder is which, and since when.

-- :name get
SELECT id, name, root, rule, state FROM projects WHERE id = ?

-- :name live_root
SELECT id, name, root, rule, state FROM projects WHERE root = ? AND state <> 'removed'

-- :name live
SELECT id, name, root, rule, state FROM projects WHERE state <> 'removed' ORDER BY id

-- :name all
SELECT id, name, root, rule, state FROM projects ORDER BY id

-- :name put
INSERT INTO projects (id, name, root, rule, state, first_seen, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?)

-- :name set_state
UPDATE projects SET state = :state, changed_at = :now WHERE id = :id

-- :name rename
UPDATE projects SET name = :name, changed_at = :now WHERE id = :id

-- :name keep
UPDATE projects SET state = 'registered', changed_at = :now WHERE id = :id AND state = 'seen'

-- :name sections
SELECT COUNT(*) FROM sections WHERE target = ?

-- :name waiting
SELECT COUNT(*) FROM observations WHERE scope = ? AND state IN ('buffered', 'pending', 'claimed', 'paused', 'held') AND state <> 'processed'
