-- Sections of the canonical documents: what is known of each, and why it exists.

-- :name sections
SELECT target, title_digest, body_digest, evidence_at, corrected_at, by_person, receipt, changed_at FROM sections
WHERE target IN (SELECT value FROM json_each(?))

-- :name links
SELECT l.target, l.title_digest, l.source_kind, l.source, l.linked_at, l.receipt, o.provenance, o.observed_at
FROM links AS l LEFT JOIN observations AS o ON l.source_kind = 'observation' AND o.id = l.source
WHERE l.target IN (SELECT value FROM json_each(?)) ORDER BY l.linked_at, l.source

-- :name targets
SELECT DISTINCT target FROM sections ORDER BY target

-- :name section_dates
SELECT target, title_digest, MAX(evidence_at, COALESCE(corrected_at, 0)) FROM sections
WHERE target IN (SELECT value FROM json_each(?)) ORDER BY target, title_digest

-- :name section_sources
SELECT target, title_digest, source FROM links
WHERE target IN (SELECT value FROM json_each(?)) AND title_digest <> '' ORDER BY target, title_digest, source

-- :name put_section
INSERT INTO sections (target, title_digest, body_digest, evidence_at, corrected_at, by_person, receipt, changed_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET body_digest = excluded.body_digest, evidence_at = excluded.evidence_at,
    corrected_at = excluded.corrected_at, by_person = excluded.by_person, receipt = excluded.receipt, changed_at = excluded.changed_at

-- :name drop_section
DELETE FROM sections WHERE target = ? AND title_digest = ?

-- :name put_link
INSERT INTO links (target, title_digest, source_kind, source, linked_at, receipt) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING

-- :name drop_link
DELETE FROM links WHERE target = ? AND title_digest = ? AND source_kind = ? AND source = ?

-- :name linked_outside
SELECT DISTINCT source FROM links
WHERE source_kind = 'observation' AND source IN (SELECT value FROM json_each(:ids))
    AND target NOT IN (SELECT value FROM json_each(:targets))

-- :name sources
SELECT o.id, o.host, o.channel, o.observed_at, o.scope, o.text, o.digest, o.path, o.start, o.length, o.content_digest,
    EXISTS (SELECT 1 FROM forgotten_sources AS f
        WHERE f.scope = o.scope AND f.digest = o.content_digest AND f.forgotten_at >= o.observed_at)
FROM observations AS o WHERE o.id IN (SELECT value FROM json_each(?))
