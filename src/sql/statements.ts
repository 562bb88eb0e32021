/**
 * The statements of all operations, in both dialects. On SQLite a write is a list of them in one transaction; on Postgres they are the
 * body of one function, so that a write is one round trip.
 *
 * Each begins with the stream locked, so that writers of a stream take turns. Each may be sent again: a statement does
 * nothing if what it does was done before.
 */
import type { SqlDatabase } from './database.ts'
import { type Syntax, syntaxes } from './syntax.ts'

/** The stream that `:stream` names. */
const STREAM = '(SELECT id FROM turnstream_stream WHERE name = :stream)'

/** More numbers are never in doubt at once. A range with two ends is one that the planner of Postgres takes to be small. */
const MAX_DOUBTED = 1_000_000

/** What a list of statements shares: those of one operation have the same parameters. */
export interface Statements {
  readonly create: string
  readonly exists: string
  readonly version: string
  readonly identify: string
  readonly lock: string
  readonly tasks: string
  /** Appends events of a writer. */
  readonly hold: string
  readonly append: string
  readonly link: string
  readonly join: string
  readonly advance: string
  readonly numbers: string
  /** Takes the lease of another writer over. */
  readonly fence: string
  readonly inherit: string
  readonly taken: string
  /** Stores a state, with events that it includes. */
  readonly introduce: string
  readonly commit: string
  readonly commitEvents: string
  readonly commitLink: string
  readonly committed: string
  readonly loadState: string
  readonly read: string
  /** Finds the newest tasks, and reads the events of tasks. */
  readonly newest: string
  readonly readTasks: string
  readonly changes: string
  readonly leases: string
  readonly due: string
  readonly forgetWriters: string
  readonly close: string
  readonly notify: string
}

function statementsOf({ now, list, text, item, integer: int, lock, server, lineage }: Syntax): Statements {
  /** The current time: that of the parameter, if there is one. */
  const time = (parameter: string): string => `COALESCE(${int(parameter)}, ${now})`
  const writer = (name: string): string =>
    `(SELECT w.id FROM turnstream_writer w WHERE w.stream = ${STREAM} AND w.name = ${name})`
  const key = (task: string): string =>
    `(SELECT t.id FROM turnstream_task t WHERE t.stream = ${STREAM} AND t.key = ${task})`
  /** The events of a list of `[task, json, bytes]`, with the ids of their tasks. */
  const events = (stream: string, parameter: string): string =>
    `${list(parameter)} LEFT JOIN turnstream_task t ON t.stream = ${stream} AND t.key = ${text(0)}`
  /** The first parent of a task is kept, and a link that would form a cycle is ignored. `since`: the `seq` of the event that states it. */
  const link = (child: string, parent: string, since: string): string => `UPDATE turnstream_task
    SET parent = p.id, linked = p.since
    FROM (SELECT q.id, ${since} AS since FROM turnstream_task q WHERE q.id = ${key(parent)}) p
    WHERE turnstream_task.id = ${key(child)} AND turnstream_task.parent IS NULL AND p.since IS NOT NULL
      AND NOT EXISTS (WITH RECURSIVE up(id, depth) AS (
        SELECT ${key(parent)}, 0
        UNION ALL SELECT u.parent, up.depth + 1 FROM turnstream_task u JOIN up ON u.id = up.id WHERE u.parent IS NOT NULL AND up.depth < 63)
        SELECT 1 FROM up WHERE up.id = turnstream_task.id)`
  const same = `(s.server = ${server})`
  const earliest = 'COALESCE((SELECT MIN(f.seq) FROM turnstream_event f WHERE f.stream = s.id), s.next)'
  /** Whether an event ends its task, for all readers. Of one that is written in an unusual way, it is not known. */
  const isEnd = (json: string): string =>
    `((${json} LIKE '{"kind":"task-complete"%' OR ${json} LIKE '{"kind":"task-status"%') AND NOT (${['"status":"submitted"', '"status":"working"', '"status":"waiting-', '"audience"'].map((part) => `${json} LIKE '%${part}%'`).join(' OR ')}))`
  return {
    create: `INSERT INTO turnstream_stream (name, epoch, server, lineage) SELECT CAST(:stream AS TEXT), CAST(:new_epoch AS TEXT), ${server}, ${lineage}
      WHERE NOT EXISTS (SELECT 1 FROM turnstream_stream WHERE name = :stream) ON CONFLICT (name) DO NOTHING`,
    exists: 'SELECT epoch FROM turnstream_stream WHERE name = :stream',
    version: 'SELECT version FROM turnstream_version',
    // A server that was promoted or restored may lack commits that readers have seen.
    identify: `UPDATE turnstream_stream SET epoch = CASE WHEN lineage = ${lineage} THEN epoch ELSE :new_epoch END, lineage = ${lineage}, server = ${server}
      WHERE name = :stream AND server <> ${server}`,
    lock: `SELECT id FROM turnstream_stream WHERE name = :stream ${lock}`,
    tasks: `INSERT INTO turnstream_task (stream, key, name)
      SELECT s.id, ${text(0)}, ${text(1)} FROM turnstream_stream s, ${list(':new_tasks')} WHERE s.name = :stream AND s.closed = 0
      ON CONFLICT (stream, key) DO NOTHING`,
    // A lease that was stored a moment ago is left as it is: it would cost as much as the event.
    hold: `INSERT INTO turnstream_writer (stream, name, state, expires_at, tasks)
      SELECT s.id, :writer, :state, ${time(':now')} + ${int(':lease_ms')}, COALESCE(:tasks, '[]') FROM turnstream_stream s WHERE s.name = :stream AND s.closed = 0
      ON CONFLICT (stream, name) DO UPDATE SET state = excluded.state, expires_at = excluded.expires_at,
        tasks = COALESCE(:tasks, turnstream_writer.tasks) WHERE turnstream_writer.state <> 'fenced'
          AND (:tasks IS NOT NULL OR turnstream_writer.state <> excluded.state OR turnstream_writer.expires_at < excluded.expires_at - ${int(':lease_ms')} / 6)`,
    // Of a batch that is sent again, what is stored is its beginning. One that comes after a later number is refused.
    append: `INSERT INTO turnstream_event (stream, seq, writer, number, task, bytes, event)
      WITH batch AS MATERIALIZED (
        SELECT s.id AS stream, s.next, w.id AS writer,
          (SELECT COUNT(*) FROM turnstream_event d WHERE d.stream = s.id AND d.writer = w.id AND d.number >= ${int(':number')} AND d.number < ${int(':number')} + ${int(':count')}) AS known,
          COALESCE((SELECT MAX(d.number) FROM turnstream_event d WHERE d.stream = s.id AND d.writer = w.id), -1) AS last
        FROM turnstream_stream s JOIN turnstream_writer w ON w.stream = s.id AND w.name = :writer AND w.state <> 'fenced'
        WHERE s.name = :stream AND s.closed = 0)
      SELECT b.stream, b.next + e.n - b.known, b.writer, ${int(':number')} + e.n, t.id, CAST(${text(2)} AS INTEGER), ${text(1)}
      FROM batch b CROSS JOIN ${events('b.stream', ':events')}
      WHERE e.n >= b.known AND b.last < ${int(':number')} + b.known`,
    // `at`: the number of the event.
    link: link(
      ':child',
      ':parent',
      `(SELECT d.seq FROM turnstream_event d WHERE d.stream = q.stream AND d.writer = ${writer(':writer')} AND d.number = ${int(':at')})`,
    ),
    // What is linked has one root, the oldest of them, whichever parent is kept.
    join: `UPDATE turnstream_task SET root = j.low
      FROM (SELECT MIN(COALESCE(t.root, t.id)) AS low, MAX(COALESCE(t.root, t.id)) AS high FROM turnstream_task t
        WHERE t.stream = ${STREAM} AND t.key IN (:child, :parent)) j
      WHERE j.low < j.high AND (turnstream_task.id = j.high OR turnstream_task.root = j.high)`,
    // A MAX reads one entry of the index, however many events there are.
    advance: `UPDATE turnstream_stream SET next = m.next
      FROM (SELECT MAX(e.seq) + 1 AS next FROM turnstream_event e WHERE e.stream = ${STREAM}) m
      WHERE name = :stream AND m.next > turnstream_stream.next`,
    numbers: `SELECT s.epoch, s.closed, w.state, CASE WHEN w.state = 'fenced' THEN w.tasks END AS tasks,
        COALESCE((SELECT MAX(d.number) FROM turnstream_event d WHERE d.stream = s.id AND d.writer = w.id), -1) AS last, r.number, r.seq, r.count
      FROM turnstream_stream s LEFT JOIN turnstream_writer w ON w.stream = s.id AND w.name = :writer
      LEFT JOIN (SELECT MIN(number) AS number, MIN(seq) AS seq, COUNT(*) AS count FROM (
          SELECT d.number, d.seq, d.number - ROW_NUMBER() OVER (ORDER BY d.number) AS island FROM turnstream_event d
          WHERE d.stream = ${STREAM} AND d.writer = ${writer(':writer')} AND d.number >= ${int(':floor')} AND d.number < ${int(':floor')} + ${MAX_DOUBTED}) g
        GROUP BY island, seq - number) r ON TRUE
      WHERE s.name = :stream`,
    fence: `UPDATE turnstream_writer SET state = 'fenced', heir = :writer WHERE stream = (SELECT id FROM turnstream_stream WHERE name = :stream AND closed = 0)
      AND name = :other AND state = 'open' AND expires_at = ${int(':expires')} AND expires_at <= ${time(':now')}
      AND NOT EXISTS (SELECT 1 FROM turnstream_writer o WHERE o.stream = turnstream_writer.stream AND o.name = :writer AND o.state = 'fenced')`,
    inherit: `INSERT INTO turnstream_writer (stream, name, state, expires_at, tasks)
      SELECT o.stream, :writer, 'open', ${time(':now')} + ${int(':lease_ms')}, :tasks FROM turnstream_writer o
      WHERE o.stream = ${STREAM} AND o.name = :other AND o.state = 'fenced' AND o.heir = :writer
      ON CONFLICT (stream, name) DO UPDATE SET state = excluded.state, expires_at = excluded.expires_at, tasks = excluded.tasks
        WHERE turnstream_writer.state <> 'fenced'`,
    taken: `SELECT (o.state = 'fenced' AND o.heir = :writer) AS taken FROM turnstream_writer o
      WHERE o.stream = ${STREAM} AND o.name = :other`,
    introduce: `INSERT INTO turnstream_writer (stream, name, state, expires_at, tasks)
      SELECT s.id, :own, 'idle', ${now}, '[]' FROM turnstream_stream s WHERE s.name = :stream ON CONFLICT (stream, name) DO NOTHING`,
    commit: `INSERT INTO turnstream_ledger (stream, version, state, epoch, through, commits)
      SELECT s.id, 1, :ledger, s.epoch, s.next - 1 + ${int(':count')}, :commit_id FROM turnstream_stream s LEFT JOIN turnstream_ledger l ON l.stream = s.id
      WHERE s.name = :stream AND s.closed = 0 AND s.epoch = :epoch AND s.next = ${int(':next')} AND COALESCE(l.version, 0) = ${int(':version')}
        AND NOT EXISTS (SELECT 1 FROM turnstream_writer w WHERE w.stream = s.id AND w.name = :writer AND w.state = 'fenced')
      ON CONFLICT (stream) DO UPDATE SET version = turnstream_ledger.version + 1, state = excluded.state, epoch = excluded.epoch,
        through = excluded.through, commits = SUBSTR(excluded.commits || ' ' || turnstream_ledger.commits, 1, 2048)`,
    // The first has a number: what its writer has given up does not come after it.
    commitEvents: `INSERT INTO turnstream_event (stream, seq, writer, number, task, bytes, event)
      SELECT s.id, s.next + e.n, CASE WHEN e.n = 0 THEN ${writer(':own')} END, CASE WHEN e.n = 0 THEN ${int(':number')} END, t.id, CAST(${text(2)} AS INTEGER), ${text(1)}
      FROM turnstream_stream s JOIN turnstream_ledger l ON l.stream = s.id AND l.commits LIKE :commit_id || '%' AND l.through = s.next - 1 + ${int(':count')}
        CROSS JOIN ${events('s.id', ':events')} WHERE s.name = :stream`,
    commitLink: link(
      ':child',
      ':parent',
      `(SELECT ${int(':at')} FROM turnstream_ledger l WHERE l.stream = q.stream AND l.commits LIKE :commit_id || '%')`,
    ),
    committed: `SELECT s.closed, l.version, CASE WHEN l.commits LIKE '%' || :commit_id || '%' THEN 1 ELSE 0 END AS committed
      FROM turnstream_stream s LEFT JOIN turnstream_ledger l ON l.stream = s.id WHERE s.name = :stream`,
    loadState: `SELECT l.version, l.epoch, l.through, CASE WHEN l.version <> ${int(':known')} THEN l.state END AS state
      FROM turnstream_ledger l WHERE l.stream = ${STREAM}`,
    read: `SELECT s.epoch, s.next, s.closed, ${same} AS same, ${earliest} AS earliest,
        e.bytes, e.event, CASE WHEN e.seq >= t.linked THEN p.name END AS parent
      FROM turnstream_stream s LEFT JOIN turnstream_event e ON e.stream = s.id AND e.seq > ${int(':after')} AND e.seq <= (
        SELECT MAX(seq) FROM (SELECT seq, SUM(bytes) OVER (ORDER BY seq) AS total FROM (
          SELECT seq, bytes FROM turnstream_event WHERE stream = ${STREAM} AND seq > ${int(':after')} ORDER BY seq LIMIT 1024) a) b
        WHERE total <= ${int(':max_bytes')} OR seq = ${int(':after')} + 1)
      LEFT JOIN turnstream_task t ON t.id = e.task LEFT JOIN turnstream_task p ON p.id = t.parent
      WHERE s.name = :stream ORDER BY e.seq`,
    // The tasks with events among the latest, or before a task and while it ran, with all that is linked with them. `shared`: an id
    // names several.
    newest: `WITH upto AS (SELECT s.id AS stream, CASE WHEN CAST(:before AS TEXT) IS NULL THEN s.next - 1 ELSE (SELECT MAX(e.seq)
          FROM turnstream_task b JOIN turnstream_task t ON t.id = COALESCE(b.root, b.id) OR t.root = COALESCE(b.root, b.id)
          JOIN turnstream_event e ON e.task = t.id WHERE b.stream = s.id AND b.name = :before) END AS seq
        FROM turnstream_stream s WHERE s.name = :stream),
      near AS (SELECT COALESCE(t.root, t.id) AS root FROM (SELECT DISTINCT e.task FROM turnstream_event e WHERE e.stream = ${STREAM}
          AND e.seq > (SELECT seq FROM upto) - ${int(':events')} AND e.seq <= (SELECT seq FROM upto)) l JOIN turnstream_task t ON t.id = l.task
        UNION SELECT COALESCE(t.root, t.id) FROM turnstream_task t WHERE t.stream = ${STREAM} AND ${int(':with_open')} = 1 AND t.name LIKE '"%'
          AND (SELECT ${isEnd('e.event')} FROM turnstream_event e WHERE e.task = t.id ORDER BY e.seq DESC LIMIT 1) IS NOT TRUE)
      SELECT s.epoch, s.next, ${same} AS same, ${earliest} AS earliest, (SELECT seq FROM upto) AS upto, t.id AS task,
        EXISTS (SELECT 1 FROM turnstream_task d WHERE d.stream = ${STREAM} GROUP BY d.name HAVING COUNT(*) > 1) AS shared
      FROM turnstream_stream s LEFT JOIN near n ON 1 = 1 LEFT JOIN turnstream_task t ON t.id = n.root OR t.root = n.root WHERE s.name = :stream`,
    readTasks: `SELECT e.seq, e.bytes, e.event, CASE WHEN e.seq >= t.linked THEN p.name END AS parent
      FROM turnstream_event e JOIN turnstream_task t ON t.id = e.task LEFT JOIN turnstream_task p ON p.id = t.parent
      WHERE e.stream = ${STREAM} AND e.seq IN (SELECT o.seq FROM ${list(':tasks')} JOIN turnstream_event o ON o.task = ${int(item)}
        WHERE o.seq > ${int(':after')} AND o.seq <= ${int(':through')} ORDER BY o.seq LIMIT ${int(':limit')}) ORDER BY e.seq`,
    changes: `SELECT s.name, s.epoch, s.next, s.closed, COALESCE(l.version, 0) AS version
      FROM ${list(':names')} JOIN turnstream_stream s ON s.name = ${item} LEFT JOIN turnstream_ledger l ON l.stream = s.id`,
    leases: `SELECT w.name, w.expires_at, w.tasks, (w.expires_at <= ${time(':now')}) AS expired
      FROM turnstream_writer w WHERE w.state = 'open' AND w.stream = (SELECT id FROM turnstream_stream WHERE name = :stream AND closed = 0)`,
    due: `SELECT DISTINCT s.name FROM turnstream_writer w JOIN turnstream_stream s ON s.id = w.stream
      WHERE w.state = 'open' AND w.expires_at <= ${time(':now')} AND s.closed = 0 LIMIT 1000`,
    forgetWriters: `DELETE FROM turnstream_writer WHERE state = 'idle' AND expires_at <= ${time(':now')} - 86400000`,
    close: 'UPDATE turnstream_stream SET closed = 1 WHERE name = :stream',
    notify: 'SELECT pg_notify(:channel, :payload)',
  }
}

export const statements: Readonly<Record<SqlDatabase['dialect'], Statements>> = {
  sqlite: statementsOf(syntaxes.sqlite),
  postgres: statementsOf(syntaxes.postgres),
}
