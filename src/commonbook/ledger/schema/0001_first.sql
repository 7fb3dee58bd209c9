-- Schema 1. Times are Unix milliseconds UTC. Ids are text. Digests are 64 hex characters (SHA-256).
-- Every state stands in one table; whatever can be computed is not stored (but for `unprocessed`, kept by triggers).

PRAGMA application_id = 0x43426f6b; -- "CBok": another program's database is never taken for ours

CREATE TABLE settings (          -- facts about this store: store_id, flush_requested, paused, configuration fingerprint
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE projects (
    id          TEXT PRIMARY KEY,             -- slug + '-' + 4 hex, immutable
    name        TEXT NOT NULL,
    root        TEXT NOT NULL,                -- real path, or the recorded text of a folder that is gone
    rule        TEXT NOT NULL CHECK (rule IN ('repository', 'folder', 'recorded', 'person')), -- how the root was found
    permissions TEXT NOT NULL DEFAULT '{}',   -- JSON {"disclose": bool, "write": bool}; absent = as the settings say
    state       TEXT NOT NULL CHECK (state IN ('seen', 'registered', 'removed')), -- seen: nothing kept yet
    first_seen  INTEGER NOT NULL,
    changed_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX projects_live_root ON projects (root) WHERE state <> 'removed';

CREATE TABLE cursors (                        -- capture's place in each transcript
    host     TEXT NOT NULL,
    root     TEXT NOT NULL,
    session  TEXT NOT NULL,                   -- the host's session id
    path     TEXT NOT NULL,
    position TEXT NOT NULL,                   -- JSON, opaque to everyone but the reader
    waiting_bytes INTEGER NOT NULL DEFAULT 0, -- an unsettled tail that stands behind the cursor
    grown_at INTEGER NOT NULL,                -- when that tail last grew
    read_at  INTEGER NOT NULL,
    PRIMARY KEY (host, root, session)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    id           TEXT PRIMARY KEY,
    host         TEXT NOT NULL,
    host_session TEXT NOT NULL,
    parent       TEXT,                        -- host session id it was forked from
    path         TEXT,                        -- transcript, where there is one
    cwd          TEXT,
    scope        TEXT NOT NULL,
    provider     TEXT,                        -- the host's model provider of the newest turn, where known
    started_at   INTEGER NOT NULL,
    last_at      INTEGER NOT NULL,
    UNIQUE (host, host_session)
) STRICT, WITHOUT ROWID;

CREATE TABLE turns (
    id           TEXT PRIMARY KEY,
    session      TEXT NOT NULL REFERENCES sessions (id),
    ordinal      INTEGER NOT NULL,            -- physical order within the session, from 1
    host_turn    TEXT,                        -- the host's own turn id, or the first user record
    state        TEXT NOT NULL CHECK (state IN ('open', 'settled', 'interrupted', 'incomplete')),
    settle_cause TEXT,
    provider     TEXT,                        -- the host's model provider that the turn was spoken to, where known
    opened_at    INTEGER NOT NULL,
    settled_at   INTEGER,
    UNIQUE (session, ordinal)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX turns_host_turn ON turns (session, host_turn) WHERE host_turn IS NOT NULL; -- a turn read again is the same turn

CREATE TABLE messages (                       -- assistant and tool messages: context, never evidence
    id          TEXT AS (turn || '-' || ordinal), -- no column and no index of its own: a history has millions of these rows
    turn        TEXT NOT NULL REFERENCES turns (id),
    record      TEXT NOT NULL,                -- the host's record id
    role        TEXT NOT NULL CHECK (role IN ('assistant', 'tool')),
    ordinal     INTEGER NOT NULL,             -- within the turn, user messages counted too
    at          INTEGER NOT NULL,
    path        TEXT,                         -- a referenced message: transcript and byte range of its record
    start       INTEGER,
    length      INTEGER,
    digest      TEXT NOT NULL,                -- of the record's bytes (referenced) or of the text (kept)
    text        TEXT,                         -- only for channels without a file
    unavailable TEXT,                         -- why it may not be shown: sensitive_context, forgotten, …
    PRIMARY KEY (turn, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE batches (                        -- sealed groups that are claimed whole
    id        TEXT PRIMARY KEY,
    session   TEXT REFERENCES sessions (id),  -- NULL: not a session batch
    sealed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE observations (
    id             TEXT PRIMARY KEY,
    host           TEXT NOT NULL,             -- identity of the delivery: (host, origin, record), generation apart
    origin         TEXT NOT NULL,             -- host session where it was first said
    origin_known   INTEGER NOT NULL DEFAULT 1, -- 0: a fork whose parent is gone; its own session stands in for it
    record         TEXT NOT NULL,
    generation     INTEGER NOT NULL DEFAULT 1, -- a new one when it is reconsidered
    digest         TEXT NOT NULL,             -- of the text as delivered, before masking
    content_digest TEXT NOT NULL,             -- of the folded stored text
    text           TEXT,                      -- masked; NULL once purged
    bytes          INTEGER NOT NULL,          -- of the stored text, UTF-8
    scope          TEXT NOT NULL,
    source         TEXT NOT NULL,
    provenance     TEXT NOT NULL,
    task_kind      TEXT NOT NULL CHECK (task_kind IN ('observation', 'edit')),
    state          TEXT NOT NULL CHECK (state IN ('buffered','pending','claimed','processed','paused','dead','quarantined','held')),
    issue          TEXT,
    job            TEXT,
    batch          TEXT REFERENCES batches (id),
    turn           TEXT REFERENCES turns (id),
    ordinal        INTEGER NOT NULL DEFAULT 0, -- within the turn
    path           TEXT,                      -- where it stands in the transcript
    start          INTEGER,
    length         INTEGER,
    images         INTEGER NOT NULL DEFAULT 0, -- 1: the words came with an image, which is unavailable context
    considered_by  TEXT,                      -- rules, model, hosted, person; NULL = nobody yet
    channel        TEXT NOT NULL,             -- transcript, cli, mcp:<client>, …
    client         TEXT,
    provider_class TEXT NOT NULL CHECK (provider_class IN ('local', 'remote', 'unknown')),
    label          TEXT,                      -- source label of an import
    observed_at    INTEGER NOT NULL,          -- when the person said it
    enqueued_at    INTEGER NOT NULL,
    processed_at   INTEGER,
    UNIQUE (host, record, origin, generation) -- record before origin: also finds a fork whose parent is gone
) STRICT, WITHOUT ROWID;
-- The queue never looks at processed rows: idle checks and claims cost the same however long the history is.
CREATE INDEX observations_pending ON observations (scope, observed_at, id) WHERE state = 'pending'; -- head of each scope
CREATE INDEX observations_unfinished ON observations (state, issue, scope) WHERE state <> 'processed';
CREATE INDEX observations_job ON observations (job) WHERE job IS NOT NULL;
CREATE INDEX observations_batch ON observations (batch) WHERE batch IS NOT NULL;
CREATE INDEX observations_turn ON observations (turn) WHERE turn IS NOT NULL;
CREATE INDEX observations_prunable ON observations (processed_at) WHERE state = 'processed' AND text IS NOT NULL;
CREATE INDEX observations_content ON observations (scope, content_digest);

-- Capacity is checked at every delivery; summing a backlog each time would make taking in a long history quadratic.
-- Whoever inserts observations adds their bytes (ledger/ingress.py); triggers do the rest, wherever a text or state changes.
CREATE TABLE unprocessed (                    -- UTF-8 bytes of stored text that is not processed, per session and in all ('')
    session TEXT PRIMARY KEY,
    bytes   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO unprocessed VALUES ('', 0);
CREATE TRIGGER unprocessed_changes AFTER UPDATE OF state, text, bytes ON observations
WHEN (OLD.text IS NOT NULL AND OLD.state <> 'processed') * OLD.bytes <> (NEW.text IS NOT NULL AND NEW.state <> 'processed') * NEW.bytes
BEGIN
    UPDATE unprocessed SET bytes = bytes - (OLD.text IS NOT NULL AND OLD.state <> 'processed') * OLD.bytes
                                         + (NEW.text IS NOT NULL AND NEW.state <> 'processed') * NEW.bytes
        WHERE session IN ('', (SELECT session FROM turns WHERE id = NEW.turn));
END;
CREATE TRIGGER unprocessed_shrinks AFTER DELETE ON observations WHEN OLD.text IS NOT NULL AND OLD.state <> 'processed'
BEGIN
    UPDATE unprocessed SET bytes = bytes - OLD.bytes WHERE session IN ('', (SELECT session FROM turns WHERE id = OLD.turn));
END;

CREATE TABLE blocks (                         -- structure of a delivery: ranges, no copy; no rows: one paragraph and no more
    bundle TEXT NOT NULL,                     -- ingest_<observation>; context is mapped when a run may read it
    id     TEXT NOT NULL,                     -- b1, b2, … in order; b0 is the root
    parent TEXT,
    kind   TEXT NOT NULL,                     -- conversation, section, paragraph, …; a CHECK here would cost a third of taking in
    ordinal INTEGER NOT NULL,
    field  TEXT NOT NULL DEFAULT 'text',
    start  INTEGER NOT NULL,                  -- UTF-8 bytes
    stop   INTEGER NOT NULL,
    evidence INTEGER NOT NULL DEFAULT 1,      -- 0: shown, but no evidence (our own marked text)
    PRIMARY KEY (bundle, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
    id            TEXT PRIMARY KEY,
    scope         TEXT NOT NULL,
    task_kind     TEXT NOT NULL CHECK (task_kind IN ('observation', 'edit')),
    state         TEXT NOT NULL CHECK (state IN ('running','retry','paused','dead','done','quarantined')),
    token         TEXT,                       -- lease
    generation    INTEGER NOT NULL DEFAULT 0,
    expires_at    INTEGER,
    owner         TEXT,                       -- who holds the lease: the caller's name, and process, start and machine
    considered_by TEXT,                       -- the kind of agent that claimed it last: rules, model, hosted, person
    changed_at    INTEGER NOT NULL DEFAULT 0, -- when lease or waiting time was set; a clock before it has been set back
    attempts      INTEGER NOT NULL DEFAULT 0,
    recoveries    INTEGER NOT NULL DEFAULT 0, -- automatic ones, all causes; at most 5
    available_at  INTEGER NOT NULL,
    issue         TEXT,
    diagnostic    TEXT,                       -- code and stage, never a provider's words
    edit_result   TEXT,
    agent         TEXT,
    prompt_digest TEXT,
    turns         INTEGER NOT NULL DEFAULT 0,
    tool_calls    INTEGER NOT NULL DEFAULT 0,
    input_tokens  INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    configuration TEXT,                       -- fingerprint of the settings it ran under
    created_at    INTEGER NOT NULL,
    finished_at   INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_state ON jobs (state, available_at);
CREATE UNIQUE INDEX jobs_one_running_per_scope ON jobs (scope) WHERE state = 'running';
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE sections (                       -- facts about each section of each canonical document
    target          TEXT NOT NULL,
    title_digest    TEXT NOT NULL,
    body_digest     TEXT NOT NULL,            -- of the words below the heading: line ends and outer blanks do not count
    evidence_at     INTEGER NOT NULL,         -- newest observed time of its linked evidence
    corrected_at    INTEGER,                  -- a person's correction or undo: older evidence never overwrites it
    by_person       INTEGER NOT NULL DEFAULT 0, -- the text is the person's own hand
    receipt         TEXT,
    changed_at      INTEGER NOT NULL,
    PRIMARY KEY (target, title_digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE links (                          -- why a section, note or skill exists
    target       TEXT NOT NULL,               -- document, or note:/skill:/resource: path
    title_digest TEXT NOT NULL,               -- '' for a whole recall file
    source_kind  TEXT NOT NULL CHECK (source_kind IN ('observation', 'session')),
    source       TEXT NOT NULL,
    linked_at    INTEGER NOT NULL,
    receipt      TEXT NOT NULL,
    PRIMARY KEY (target, title_digest, source_kind, source)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_source ON links (source_kind, source);

CREATE TABLE requests (                       -- replays get the present state of the same item
    channel TEXT NOT NULL,
    id      TEXT NOT NULL,
    operation TEXT NOT NULL,
    digest  TEXT NOT NULL,
    item    TEXT,                             -- observation or receipt
    result  TEXT NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (channel, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE spool (                          -- how far each hook's spool file has been read, and lines that wait for their record
    file     TEXT NOT NULL,
    start    INTEGER NOT NULL,
    host     TEXT NOT NULL,
    host_session TEXT NOT NULL,
    turn_key TEXT,
    source   TEXT NOT NULL,
    digest   TEXT NOT NULL,
    state    TEXT NOT NULL CHECK (state IN ('waiting', 'bound', 'alone', 'refused')),
    observation TEXT,
    seen_at  INTEGER NOT NULL,
    PRIMARY KEY (file, start)
) STRICT, WITHOUT ROWID;
CREATE INDEX spool_waiting ON spool (host, host_session, digest) WHERE state = 'waiting';

CREATE TABLE own_sessions (                   -- sessions that Commonbook itself started: refused at ingress for ever
    host         TEXT NOT NULL,
    host_session TEXT NOT NULL,
    registered_at INTEGER NOT NULL,
    PRIMARY KEY (host, host_session)
) STRICT, WITHOUT ROWID;

CREATE TABLE forgotten_sources (
    scope        TEXT NOT NULL,
    digest       TEXT NOT NULL,               -- content digest
    forgotten_at INTEGER NOT NULL,            -- blocks what was observed before; the same words later are welcome
    PRIMARY KEY (scope, digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE receipts (                       -- which receipts have been applied
    id         TEXT PRIMARY KEY,              -- job id, or a person's commit id
    kind       TEXT NOT NULL,                 -- agent, person, undo, ignore
    agent      TEXT NOT NULL,
    targets    TEXT NOT NULL,                 -- JSON list
    decisions  TEXT NOT NULL,                 -- JSON list of decision kinds
    edit_result TEXT,
    digest     TEXT NOT NULL,                 -- of the receipt file; '' where there is none (ignore)
    applied_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX receipts_time ON receipts (applied_at);

PRAGMA user_version = 1;
