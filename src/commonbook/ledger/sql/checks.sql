-- What must hold in a memory at rest; each counts what breaks it. Read by `doctor` only, so none needs an index.

-- :name claimed_without_job
SELECT COUNT(*) FROM observations AS o WHERE state = 'claimed'
    AND NOT EXISTS (SELECT 1 FROM jobs AS j WHERE j.id = o.job AND j.state IN ('running', 'retry'))

-- :name processed_without_receipt
SELECT COUNT(*) FROM observations AS o WHERE state = 'processed' AND considered_by IS NOT 'person'
    AND NOT EXISTS (SELECT 1 FROM receipts AS r WHERE r.id = o.job)

-- :name section_without_source
SELECT COUNT(*) FROM sections AS s WHERE NOT by_person
    AND NOT EXISTS (SELECT 1 FROM links AS l WHERE l.target = s.target AND l.title_digest = s.title_digest)

-- :name link_without_source
SELECT COUNT(*) FROM links AS l WHERE NOT EXISTS (SELECT 1 FROM observations AS o WHERE o.id = l.source)
    AND NOT EXISTS (SELECT 1 FROM sessions AS s WHERE s.id = l.source)

-- :name link_without_section
SELECT COUNT(*) FROM links AS l WHERE title_digest <> ''
    AND NOT EXISTS (SELECT 1 FROM sections AS s WHERE l.target = s.target AND l.title_digest = s.title_digest)

-- :name files
SELECT id, digest FROM receipts WHERE kind <> 'ignore'
