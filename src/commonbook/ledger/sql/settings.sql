-- Facts about the store itself, and what a migration asks.

-- :name get
SELECT value FROM settings WHERE name = :name

-- :name put
INSERT INTO settings (name, value) VALUES (:name, :value) ON CONFLICT DO UPDATE SET value = excluded.value

-- :name tables
SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name

-- :name shape
SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name

-- :name revoke_leases
UPDATE jobs SET state = 'retry', token = NULL, expires_at = NULL, owner = NULL, available_at = :now, changed_at = :now
WHERE state = 'running'

-- :name quick_check
PRAGMA quick_check(1)
