/** A stream: its log, and responses that follow it. */
import type { Diagnostic } from '../../core/machine.ts'
import { randomId } from '../../core/random-id.ts'
import {
  mismatch,
  optional,
  requireFunction,
  requireInteger,
  requireObject,
  requireOneOf,
  requireOnly,
  requireSignal,
} from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { type EventMessageOptions, requireProfile } from '../../sse/encode.ts'
import { eventStreamHeaders } from '../../sse/headers.ts'
import type { EventFilter } from '../access/filter.ts'
import { filterTextOf } from '../access/filter-id.ts'
import { hiddenFieldReporter } from '../access/hidden-fields.ts'
import { viewerIn } from '../access/reader.ts'
import { requireFilter, requireViewer } from '../access/require-viewer.ts'
import type { Viewer } from '../access/viewer.ts'
import { type Batch, cursorAfter, type Reset } from '../log/batch.ts'
import { comparePositions, type Position, parseEventId } from '../log/cursor.ts'
import type { EventLog } from '../log/event-log.ts'
import { Tail } from '../log/follow/tail.ts'
import type { LogLimits } from '../log/memory/log-state.ts'
import { MemoryLog } from '../log/memory/memory-log.ts'
import { filterOf, type ReadFilter } from '../log/read-filter.ts'
import { requireEvent } from '../log/require-event.ts'
import type { View } from '../view/view.ts'
import { bodyOf } from './body.ts'
import { Heartbeats, requirePadding } from './heartbeat.ts'
import { KeptLog } from './kept-log.ts'
import { Newcomers } from './newcomers.ts'
import { readView } from './read-view.ts'

/** Options of {@link createStream} for a stream in memory. */
export interface StreamOptions {
  /** Name of the stream: a non-empty string such as `context/ctx-1`. */
  readonly stream: string
  /**
   * Identifies this run of the stream: a non-empty string never used for it before.
   *
   * @defaultValue a random UUID
   */
  readonly epoch?: string
  /** How much the stream keeps. Omitted limits have their defaults. */
  readonly limits?: Partial<LogLimits>
  /**
   * Returns the current time in milliseconds: for the age of events.
   *
   * @defaultValue Date.now
   */
  readonly now?: () => number
  /** See {@link LoggedStreamOptions.onError}. */
  readonly onError?: (error: unknown) => void
  /**
   * Called with what the limits have cut, `tasks-forgotten`, with the tasks as its `detail`: otherwise only readers learn of
   * it. Also see {@link LoggedStreamOptions.onDiagnostic}. Must not throw. Omitted: nothing is reported.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/** Options of {@link createStream} for a stream that is stored elsewhere. */
export interface LoggedStreamOptions {
  /** The log, such as one in Redis. Its `snapshot` is what readers get that are too far behind. */
  readonly log: EventLog
  /**
   * Called with the error of each response that ends because the log cannot be read, after its body has failed with the
   * same error. Not called for readers that disconnect. Must not throw. Omitted: only what reads the body learns of it,
   * and most servers do not report that.
   */
  readonly onError?: (error: unknown) => void
  /**
   * Called with each field that readers do not see because no schema declares it: `hidden:<field>`, once per kind; and
   * `invalid-event` for events that they do not see as they are not valid. Must not throw. Omitted: nothing is reported.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/** Options of {@link Stream.respond}. */
export interface RespondOptions extends EventMessageOptions {
  /**
   * Who reads: every event is projected for this viewer.
   *
   * @defaultValue `{ audience: 'user' }`
   */
  readonly viewer?: Viewer
  /** Which of the visible events the reader wants. Omitted: all of them. */
  readonly filter?: EventFilter
  /** Aborting it ends the body, such as when a server shuts down. Cancelling the body does the same. */
  readonly signal?: AbortSignal
  /**
   * Milliseconds without a visible event after which a comment is sent, so that proxies keep the connection open, with the id of
   * the newest position, from which the client resumes. From 1.
   *
   * @defaultValue 15 000
   */
  readonly heartbeatMs?: number
  /**
   * Bytes of padding in the comment of each heartbeat: 0 to 65 536. For a proxy that holds events back until its buffer is full, such as
   * 8192 if nginx has to buffer: they arrive with the next heartbeat. Compression undoes it.
   *
   * @defaultValue 0
   */
  readonly paddingBytes?: number
  /** Milliseconds that the client waits before it reconnects: an integer >= 0. Omitted: the client decides. */
  readonly retry?: number
  /**
   * What a reader without a cursor gets. `merged`: of more than 32 KiB of events the state of the newest tasks, as a reset
   * of at most 1 MiB or one task, and of those that have not ended; {@link Reset.older} names where older ones end. `first`:
   * all events from the first one on.
   *
   * @defaultValue `'merged'`
   */
  readonly start?: 'merged' | 'first'
}

/** An HTTP response as data: pass it to `new Response(body, { status, headers })`, or write it to a socket. */
export interface StreamResponse {
  /** 204 if the reader has all events of a closed stream: an `EventSource` then stops reconnecting. */
  readonly status: 200 | 204
  readonly headers: Readonly<Record<string, string>>
  /**
   * The events as SSE, from the reader's last one. Read it at the pace of the client: it holds one page at most.
   * `null` with status 204. `pipeline` of Node takes it, whatever `lib` declares.
   */
  readonly body: (ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) | null
}

/** A stream of events and its readers. */
export interface Stream {
  /**
   * Appends an event and resolves to its position. Await each call before the next: events keep the order in which they
   * are appended. Rejects with a TypeError that names the fields if it is no valid event, such as a draft that no emitter
   * completed; and if the stream is closed.
   *
   * Remove secrets first: everything in the log can be replayed.
   */
  append(event: ContextAnyEvent): Promise<Position>
  /**
   * Returns the response to a reader: the events after its last one, then new ones until the stream is closed. A reader
   * whose cursor the log cannot continue gets a reset with the events of a snapshot.
   *
   * @param request - The request, or its unmodified `Last-Event-ID` header. Omitted, null or empty: the beginning of the
   * stream.
   * @throws TypeError if an option is invalid, or `request` is something else.
   */
  respond(request?: Request | string | null, options?: RespondOptions): StreamResponse
  /**
   * Returns the view of everything appended so far, without the tasks that were forgotten; see {@link createStream}. It
   * holds what any audience may see: do not send it to users.
   */
  view(): Promise<View>
  /** Closes the stream: nothing can be appended, and all bodies end. Closing it again has no effect. */
  close(): Promise<void>
  /** The log, for {@link follow} and for tools. */
  readonly log: EventLog
}

/**
 * Creates a stream that any number of readers follow over SSE, and resume after their last event.
 *
 * In memory, it keeps the latest events within `limits`, and for readers that are further behind a view of the whole
 * stream. If that view exceeds `limits.maxBytes`, root tasks that have ended are forgotten, the oldest first, with their
 * subtasks and artifacts; a reset names them as {@link Reset.forgotten}. A root task that alone is larger is forgotten before all others, also
 * if it has not ended: readers get what it does after that.
 *
 * @throws TypeError if `stream` or `epoch` is empty, a limit is unknown or not an integer >= 1, `now` or
 * `onError` is not a function, or `log` is not a log.
 *
 * @example
 * ```ts
 * const stream = createStream({ stream: 'context/ctx-1' })
 * await stream.append(event)
 *
 * const { status, headers, body } = stream.respond(request, { viewer: { audience: 'user' } })
 * return new Response(body, { status, headers })
 * ```
 */
export function createStream(options: StreamOptions | LoggedStreamOptions): Stream {
  requireObject('options', options)
  const { log, view } = 'log' in options ? loggedStream(options) : memoryStream(options)
  const { onError, onDiagnostic } = options
  optional(requireFunction, 'onError', onError)
  optional(requireFunction, 'onDiagnostic', onDiagnostic)
  const onHidden = onDiagnostic && hiddenFieldReporter(onDiagnostic)
  const heartbeats = new Heartbeats()
  // A log in memory wakes its readers itself.
  const tail = log instanceof MemoryLog ? undefined : new Tail(log)
  const newcomers = new Newcomers(log)
  /** The filters of readers. Those who see the same share one, and what is made with it. */
  const filters = new Map<string, ReadFilter>()
  const sharedFilter = (viewer: Viewer, filter: EventFilter): ReadFilter => {
    requireFilter('filter', filter)
    const text = filterTextOf(viewer, filter)
    const shared = filters.get(text) ?? filterOf<ContextAnyEvent>(viewer, filter, onHidden)
    if (filters.size >= MAX_FILTERS) filters.clear()
    filters.set(text, shared)
    return shared
  }
  /** The ends that readers of a filter have come to, and from where on it shows nothing more. */
  const ends = new WeakMap<ReadFilter, Position & { readonly from: number }>()

  const hasAll = (lastEventId: string | null | undefined, filter: ReadFilter): boolean => {
    if (!lastEventId) return false
    if (log instanceof MemoryLog) {
      const part = log.readNow(lastEventId, filter, 1)
      return 'closed' in part && part.events.length === 0
    }
    const at = parseEventId(lastEventId)
    const known = ends.get(filter)
    if (!known || at?.filter !== filter.id) return false
    return at.seq >= known.from && (comparePositions(at, known) ?? 1) < 1
  }

  /** Takes note of the end that a reader comes to. */
  const endsFor = (filter: ReadFilter): ((part: Batch | Reset) => void) => {
    let from: number | undefined
    return (part) => {
      from = part.type === 'reset' ? part.through : (part.seqs.at(-1) ?? from ?? part.after)
      if (part.type === 'reset' || !part.closed) return
      const known = ends.get(filter)
      // Of what is hidden, one reader passes over more than another.
      if (known?.epoch === part.epoch) from = Math.min(from, known.from)
      ends.set(filter, { ...cursorAfter(part), from })
    }
  }

  return {
    log,
    view,
    append: async (event) => log.append(requireEvent(event)),
    respond(request, respondOptions = {}) {
      const lastEventId = lastEventIdOf(request)
      const {
        filter,
        signal,
        heartbeatMs = 15_000,
        paddingBytes = 0,
        retry,
        profile = 'named',
        start = 'merged',
      } = checkedOptions(respondOptions)
      const viewer = viewerIn(respondOptions) as Viewer
      const visible = sharedFilter(viewer, filter ?? {})
      if (hasAll(lastEventId, visible)) return { status: 204, headers: {}, body: null }
      const body = bodyOf(log, lastEventId ?? undefined, {
        filter: visible,
        tail,
        encoding: { profile },
        signal,
        paddingBytes,
        retry,
        onError,
        onPart: endsFor(visible),
        heartbeat: heartbeats.of(heartbeatMs),
        newcomers: start === 'merged' ? newcomers : undefined,
      })
      return { status: 200, headers: { ...eventStreamHeaders }, body }
    },
    close: async () => log.close(),
  }
}

/** How many filters a stream keeps for readers to share. */
const MAX_FILTERS = 100

function memoryStream(options: StreamOptions): Pick<Stream, 'log' | 'view'> {
  requireOnly('options', options, ['stream', 'epoch', 'limits', 'now', 'onError', 'onDiagnostic'])
  const { now = Date.now, epoch = randomId(), onDiagnostic } = options
  requireFunction('now', now)
  const log = new KeptLog({ ...options, epoch }, now, onDiagnostic)
  return { log, view: async () => log.view() }
}

function loggedStream(options: LoggedStreamOptions): Pick<Stream, 'log' | 'view'> {
  requireOnly('options', options, ['log', 'onError', 'onDiagnostic'])
  const { log } = options
  const { append, read, close } = (log ?? {}) as Partial<EventLog>
  for (const method of [append, read, close]) {
    if (typeof method !== 'function') throw mismatch('log', 'a log', log)
  }
  return { log, view: () => readView(log) }
}

function lastEventIdOf(request: Request | string | null | undefined): string | null | undefined {
  if (request === null || request === undefined || typeof request === 'string') return request
  // A request of another realm, or of a library.
  const { headers } = request as { readonly headers?: Partial<Headers> }
  if (typeof headers?.get === 'function') return headers.get('last-event-id')
  throw mismatch('request', 'a Request or the text of its header Last-Event-ID', request)
}

function checkedOptions(options: RespondOptions): RespondOptions {
  requireOnly('options', options, [
    ...['viewer', 'filter', 'signal', 'heartbeatMs', 'paddingBytes', 'retry', 'profile', 'start'],
  ])
  const { signal, heartbeatMs, paddingBytes, retry, start } = options
  requireViewer('viewer', viewerIn(options))
  optional(requireSignal, 'signal', signal)
  optional((name, value) => requireInteger(name, value, 1), 'heartbeatMs', heartbeatMs)
  optional(requirePadding, 'paddingBytes', paddingBytes)
  optional((name, value) => requireInteger(name, value, 0), 'retry', retry)
  optional((name, value) => requireOneOf(name, value, ['merged', 'first']), 'start', start)
  requireProfile(options)
  return options
}
