/** A server with one stream, what its viewers must see of it, and what a client may fold it to. */
import type { ContextAnyEvent } from 'agentwire'
import {
  append,
  applyBackpressure,
  type Batch,
  close,
  compact,
  emptyView,
  evict,
  type FlowDecision,
  foldEvent,
  type Log,
  type LogLimits,
  openLog,
  type ReadFilter,
  type Reset,
  read,
  readFilter,
  type View,
} from 'agentwire/streams'
import { timestamp } from './support.ts'

/** What stands in everything that users and observers must not see. */
export const CANARY = 'canary-7f3a'

/** What the clients of the test read under. */
export const views: readonly { readonly filter: ReadFilter | undefined; readonly isPrivy: boolean }[] = [
  { filter: readFilter({ audience: 'user' }), isPrivy: false },
  { filter: readFilter({ audience: 'user', thoughts: { maxVerbosity: 'none' } }), isPrivy: false },
  {
    filter: readFilter(
      { audience: 'observer' },
      { kinds: ['content-delta', 'tool-start', 'thought-stream'] },
    ),
    isPrivy: false,
  },
  { filter: readFilter({ audience: 'user' }, { tasks: ['b'] }), isPrivy: false },
  { filter: readFilter({ audience: 'operator' }), isPrivy: true },
  { filter: undefined, isPrivy: true },
]

/** The kinds of events the server emits; each makes an event of a task from a number. */
const makers: readonly ((n: number, index: number) => object)[] = [
  (n, index) => ({ kind: 'content-delta', delta: `<${n}>`, index }),
  (n, index) => ({ kind: 'content-delta', delta: `<${n}>`, index }),
  (n) => ({ kind: 'tool-progress', toolCallId: `call-${n % 2}`, progress: 0.5, message: `${n}` }),
  (n, index) => ({ kind: 'thought-delta', thoughtId: 'th', delta: `${CANARY}${n}`, index }),
  (n) => ({
    kind: 'thought-stream',
    thoughtId: `${n}`,
    thoughtType: 'planning',
    verbosity: 'brief',
    content: `${n}`,
    index: n,
  }),
  (n) => ({
    kind: 'thought-stream',
    thoughtId: `${n}`,
    thoughtType: 'planning',
    verbosity: 'detailed',
    content: CANARY,
    index: n,
  }),
  (n) => ({ kind: 'tool-start', toolCallId: `${n}`, toolName: 'search', arguments: { n } }),
  (n) => ({ kind: 'task-status', status: 'working', message: `${n}` }),
  (n) => ({ kind: 'internal:llm-call', iteration: n, model: CANARY, messageCount: 1, toolCount: 0 }),
  (n) => ({ kind: 'content-spark', text: `${CANARY}${n}` }),
]

export const MAKERS: number = makers.length

/** Where an event was. */
export interface Place {
  readonly epoch: string
  readonly seq: number
}

/** What a client makes of events, and what may be made of neighbours without changing that. */
export interface Folding<F> {
  readonly empty: F
  readonly fold: (folded: F, event: ContextAnyEvent) => F
  readonly merge: (events: readonly ContextAnyEvent[]) => ContextAnyEvent[]
}

/** A server: all it ever emitted, by epoch, and the log it answers from. */
export class Server<F> {
  log: Log
  readonly history: Map<string, ContextAnyEvent[]> = new Map()
  readonly folding: Folding<F>
  private readonly limits: LogLimits
  private emitted = 0
  private restarts = 0
  private now = 0

  constructor(limits: LogLimits, folding: Folding<F>) {
    this.limits = limits
    this.folding = folding
    this.log = this.open()
  }

  private open(): Log {
    const epoch = `epoch-${this.restarts++}`
    this.history.set(epoch, [])
    return openLog({ stream: 'context/ctx-1', epoch, limits: this.limits })
  }

  emit(maker: number, taskId: string): void {
    if (this.log.closed) return
    const n = this.emitted++
    const made = makers[maker % MAKERS]?.(n, n) ?? {}
    const event = { contextId: 'ctx-1', taskId, timestamp, ...made } as ContextAnyEvent
    this.history.get(this.log.epoch)?.push(event)
    this.log = append(this.log, event, this.now)
  }

  wait(ms: number): void {
    this.now += ms
    this.log = evict(this.log, this.now)
  }

  close(): void {
    this.log = close(this.log)
  }

  /** Starts over, from what it stored or from nothing. */
  restart(isStored: boolean): void {
    this.log = isStored ? JSON.parse(JSON.stringify(this.log)) : this.open()
  }

  /** Answers a reader: a batch, thinned out, or a reset with its snapshot. `dropped`: what is left out. */
  answer(
    cursor: Parameters<typeof read>[1],
    filter: ReadFilter | undefined,
    decision: FlowDecision,
  ): { part: Batch | Reset; dropped: readonly Place[] } {
    const whole = read(this.log, cursor, filter)
    const { empty, fold, merge } = this.folding
    const paced = applyBackpressure(whole, decision, merge)
    if (paced.type === 'reset') {
      const snapshot = this.visible(paced.epoch, filter, paced.through).reduce(fold, empty)
      return { part: JSON.parse(JSON.stringify({ ...paced, snapshot })), dropped: [] }
    }
    const kept =
      whole.type === 'batch' && decision === 'drop-declared' ? applyBackpressure(whole, decision) : whole
    const seqs = whole.type === 'batch' ? whole.seqs : []
    const dropped = seqs.filter((seq) => kept.type === 'batch' && !kept.seqs.includes(seq))
    return { part: paced, dropped: dropped.map((seq) => ({ epoch: paced.epoch, seq })) }
  }

  /** What a viewer must have seen of an epoch through a place, but for what was dropped. */
  visible(
    epoch: string,
    filter: ReadFilter | undefined,
    through: number,
    dropped: ReadonlySet<number> = new Set(),
  ): ContextAnyEvent[] {
    return (this.history.get(epoch) ?? []).slice(0, through + 1).flatMap((event, seq) => {
      const seen = filter === undefined ? event : filter.see(event)
      return seen === undefined || dropped.has(seq) ? [] : [seen]
    })
  }

  kindAt(epoch: string, seq: number): string {
    return this.history.get(epoch)?.[seq]?.kind ?? ''
  }
}

/** What was seen of each task, in order, with pieces of one text joined: plain JSON. */
export type Folded = Readonly<Record<string, readonly Piece[]>>
type Piece = Readonly<Record<string, unknown>>

export const emptyFold: Folded = {}

/** Adds an event: deltas that go on where the last one ended join it, progress replaces progress. */
export function fold(folded: Folded, event: ContextAnyEvent): Folded {
  const pieces = folded[event.taskId] ?? []
  const last = pieces.at(-1)
  const joined = last && joinPieces(last, event as unknown as Piece)
  const next = joined === undefined ? [...pieces, pieceOf(event)] : [...pieces.slice(0, -1), joined]
  return { ...folded, [event.taskId]: next }
}

/** Joins adjacent events by the same rule. What a library's `compact` does, for three kinds. */
export function mergeAdjacent(events: readonly ContextAnyEvent[]): ContextAnyEvent[] {
  const merged: ContextAnyEvent[] = []
  for (const event of events) {
    const last = merged.at(-1) as unknown as Piece | undefined
    const joined = last?.taskId === event.taskId ? joinPieces(last, event as unknown as Piece) : undefined
    if (joined === undefined) merged.push(event)
    else merged[merged.length - 1] = joined as unknown as ContextAnyEvent
  }
  return merged
}

/** The simplest folding. */
export const pieces: Folding<Folded> = { empty: emptyFold, fold, merge: mergeAdjacent }
/** What the library folds to. */
export const wholeView: Folding<View> = { empty: emptyView, fold: foldEvent, merge: compact }

function joinPieces(a: Piece, b: Piece): Piece | undefined {
  if (a.kind !== b.kind) return undefined
  if (a.kind === 'tool-progress') return a.toolCallId === b.toolCallId ? pieceOf(b) : undefined
  const end = Number(a.indexEnd ?? a.index)
  const isNext = (b.kind === 'content-delta' || b.kind === 'thought-delta') && b.index === end + 1
  if (!isNext) return undefined
  return { ...a, delta: `${a.delta}${b.delta}`, indexEnd: b.indexEnd ?? b.index }
}

function pieceOf(event: object): Piece {
  return { ...event }
}
