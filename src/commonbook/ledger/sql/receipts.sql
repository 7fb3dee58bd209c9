-- Which receipts have been applied.

-- :name applied
SELECT 1 FROM receipts WHERE id = ?

-- :name put
INSERT INTO receipts (id, kind, agent, targets, decisions, edit_result, digest, applied_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)

-- :name newest
SELECT id, kind, agent, targets, decisions, edit_result, applied_at FROM receipts
WHERE kind <> 'ignore' OR :everything ORDER BY applied_at DESC, id DESC LIMIT :limit

-- :name one
SELECT id, kind, agent, targets, decisions, edit_result, applied_at FROM receipts WHERE id = ?
