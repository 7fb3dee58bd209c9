-- recall.sqlite is derived from the Markdown files and sections.json: it may be deleted at any time, and costs a rebuild.
-- A segment's rowid is (document << 20) | ordinal, so that the filter by scope needs no second look-up for each match.

-- :name schema
CREATE TABLE documents (
    id       INTEGER PRIMARY KEY,
    target   TEXT NOT NULL UNIQUE,
    track    TEXT NOT NULL CHECK (track IN ('memory', 'skill', 'resource')),
    scope    TEXT NOT NULL,
    size     INTEGER NOT NULL,        -- size, mtime and inode of the file as it was when it was read
    mtime_ns INTEGER NOT NULL,
    inode    INTEGER NOT NULL,
    checked  INTEGER NOT NULL,        -- when it was read, Unix ms: a file younger than that by a hair is read again
    segments INTEGER NOT NULL,        -- how many it has
    digest   TEXT NOT NULL,           -- of everything that its segments were made from
    facts    TEXT NOT NULL            -- of its part of sections.json
) STRICT;
CREATE TABLE segments (
    id      INTEGER PRIMARY KEY,
    section INTEGER NOT NULL,         -- parts of one long section share it: one hit a section
    title   TEXT NOT NULL,            -- of the document
    heading TEXT NOT NULL,            -- JSON array
    text    TEXT NOT NULL,
    date    INTEGER,                  -- Unix ms
    sources TEXT NOT NULL,            -- JSON array of observation ids
    digest  TEXT NOT NULL             -- of the row: what a damaged disk gives back is noticed, never shown
) STRICT;
CREATE TABLE facts_file (             -- sections.json as it was last read; no row = never
    one      INTEGER PRIMARY KEY CHECK (one = 1),
    size     INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    inode    INTEGER NOT NULL,
    checked  INTEGER NOT NULL
) STRICT;
CREATE VIRTUAL TABLE words USING fts5 (
    own, context, content = '', tokenize = "porter ascii tokenchars '_.-/:@+#'"
);
INSERT INTO words (words, rank) VALUES ('secure-delete', 1); -- what was forgotten leaves no word behind in the file

-- :name documents
SELECT target, id, size, mtime_ns, inode, checked, digest, facts FROM documents;

-- :name put_document
INSERT INTO documents (target, track, scope, size, mtime_ns, inode, checked, segments, digest, facts)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (target) DO UPDATE SET size = excluded.size, mtime_ns = excluded.mtime_ns, inode = excluded.inode,
    checked = excluded.checked, segments = excluded.segments, digest = excluded.digest, facts = excluded.facts
RETURNING id;

-- :name restamp_document
UPDATE documents SET size = ?, mtime_ns = ?, inode = ?, checked = ? WHERE id = ?;

-- :name remove_document
DELETE FROM documents WHERE id = ?;

-- :name segments
SELECT id, section, title, heading, text, date, sources, digest FROM segments WHERE id BETWEEN ? AND ? ORDER BY id;

-- :name put_segment
INSERT OR REPLACE INTO segments (id, section, title, heading, text, date, sources, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- :name remove_segment
DELETE FROM segments WHERE id = ?;

-- :name put_words
INSERT INTO words (rowid, own, context) VALUES (?, ?, ?);

-- :name remove_words
INSERT INTO words (words, rowid, own, context) VALUES ('delete', ?, ?, ?);

-- :name facts_file
SELECT size, mtime_ns, inode, checked FROM facts_file;

-- :name put_facts_file
INSERT OR REPLACE INTO facts_file (one, size, mtime_ns, inode, checked) VALUES (1, ?, ?, ?, ?);

-- :name kinds
SELECT DISTINCT scope, track FROM documents;

-- :name segment_count
SELECT CAST(total(segments) AS INTEGER) FROM documents;

-- :name match_count
SELECT count(*) FROM words WHERE words MATCH ?;

-- :name rank
SELECT rowid, bm25(words, ?2, ?3) AS score FROM words WHERE words MATCH ?1 ORDER BY score, rowid LIMIT ?4;

-- :name rank_within
SELECT rowid, bm25(words, ?2, ?3) AS score FROM words
WHERE words MATCH ?1 AND (rowid >> 20) IN (
    SELECT id FROM documents
    WHERE scope IN (SELECT value FROM json_each(?5)) AND track IN (SELECT value FROM json_each(?6))
) ORDER BY score, rowid LIMIT ?4;

-- :name place
SELECT target, track, scope FROM documents WHERE id = ?;

-- :name holds
SELECT count(*) FROM words WHERE words MATCH ? AND rowid = ?;
