/** The model of the delivery test: a server with one stream, its readers, and what a client folds events to. */
import type { ContextAnyEvent } from 'turnstream'
import {
  applyBackpressure,
  type Batch,
  compact,
  emptyView,
  foldEvent,
  type ReadFilter,
  type Reset,
  readFilter,
  type View,
} from 'turnstream/streams'
import type { BackpressureDecision } from '../../../src/streams/log/backpressure.ts'
import { LogBuffer } from '../../../src/streams/log/memory/log-buffer.ts'
import type { LogLimits } from '../../../src/streams/log/memory/log-state.ts'
import { emptyLogState } from '../../../src/streams/log/memory/log-state.ts'
import { timestamp } from './support.ts'

/** A text in everything that users and observers must not see. */
export const CANARY = 'canary-7f3a'

/** The readers of the test. `seesAll`: including internal events and all thoughts. */
export const readers: readonly { readonly filter: ReadFilter | undefined; readonly seesAll: boolean }[] = [
  { filter: readFilter({ audience: 'user' }), seesAll: false },
  { filter: readFilter({ audience: 'user', thoughts: { maxVerbosity: 'none' } }), seesAll: false },
  {
    filter: readFilter(
      { audience: 'observer' },
      { kinds: ['content-delta', 'tool-start', 'thought-stream'] },
    ),
    seesAll: false,
  },
  { filter: readFilter({ audience: 'user' }, { tasks: ['b'] }), seesAll: false },
  { filter: readFilter({ audience: 'operator' }), seesAll: true },
  { filter: undefined, seesAll: true },
]

/** The events the server emits: each function creates one from a number. */
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

/** The position of an event. */
export interface Position {
  readonly epoch: string
  readonly seq: number
}

/** How a client folds events, and a merge of adjacent events that does not change the result. */
export interface Folding<F> {
  readonly empty: F
  readonly fold: (folded: F, event: ContextAnyEvent) => F
  readonly merge: (events: readonly ContextAnyEvent[]) => ContextAnyEvent[]
}

/** A server: all events it ever emitted, by epoch, and the log it answers from. */
export class Server<F> {
  log: LogBuffer
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

  private open(): LogBuffer {
    const epoch = `epoch-${this.restarts++}`
    this.history.set(epoch, [])
    return new LogBuffer<ContextAnyEvent>(
      emptyLogState({ stream: 'context/ctx-1', epoch, limits: this.limits }),
    )
  }

  emit(maker: number, taskId: string): void {
    if (this.log.closed) return
    const n = this.emitted++
    const made = makers[maker % MAKERS]?.(n, n) ?? {}
    const event = { contextId: 'ctx-1', taskId, timestamp, ...made } as ContextAnyEvent
    this.history.get(this.log.epoch)?.push(event)
    this.log.append(event, this.now)
  }

  wait(ms: number): void {
    this.now += ms
    this.log.evict(this.now)
  }

  close(): void {
    this.log.close()
  }

  /** Restarts with its stored log, or with an empty one in a new epoch. */
  restart(fromStored: boolean): void {
    this.log = fromStored ? new LogBuffer(JSON.parse(JSON.stringify(this.log.state))) : this.open()
  }

  /** Answers a reader: a reduced batch, or a reset with all events. `dropped`: positions of dropped events. */
  answer(
    cursor: Parameters<LogBuffer['read']>[0],
    filter: ReadFilter | undefined,
    decision: BackpressureDecision,
  ): { part: Batch | Reset; dropped: readonly Position[] } {
    const whole = this.log.read(cursor, filter)
    const { merge } = this.folding
    const reduced = applyBackpressure(whole, decision, merge)
    if (reduced.type === 'reset') {
      const events = this.visible(reduced.epoch, filter, reduced.through)
      return { part: { ...reduced, events }, dropped: [] }
    }
    const kept =
      whole.type === 'batch' && decision === 'drop-declared' ? applyBackpressure(whole, decision) : whole
    const seqs = whole.type === 'batch' ? whole.seqs : []
    const dropped = seqs.filter((seq) => kept.type === 'batch' && !kept.seqs.includes(seq))
    return { part: reduced, dropped: dropped.map((seq) => ({ epoch: reduced.epoch, seq })) }
  }

  /** The events of an epoch a reader must have seen through `through`, except the dropped ones. */
  visible(
    epoch: string,
    filter: ReadFilter | undefined,
    through: number,
    dropped: ReadonlySet<number> = new Set(),
  ): ContextAnyEvent[] {
    return (this.history.get(epoch) ?? []).slice(0, through + 1).flatMap((event, seq) => {
      const shown = filter === undefined ? event : filter.apply(event)
      return shown === undefined || dropped.has(seq) ? [] : [shown]
    })
  }

  kindAt(epoch: string, seq: number): string {
    return this.history.get(epoch)?.[seq]?.kind ?? ''
  }
}

/** The events of each task, in order, with adjacent deltas merged. Plain JSON. */
export type Folded = Readonly<Record<string, readonly Piece[]>>
type Piece = Readonly<Record<string, unknown>>

export const emptyFold: Folded = {}

/** Adds an event: a delta that continues the last one extends it; progress replaces progress. */
export function fold(folded: Folded, event: ContextAnyEvent): Folded {
  const pieces = folded[event.taskId] ?? []
  const last = pieces.at(-1)
  const merged = last && mergePieces(last, event as unknown as Piece)
  const next = merged === undefined ? [...pieces, pieceOf(event)] : [...pieces.slice(0, -1), merged]
  return { ...folded, [event.taskId]: next }
}

/** Merges adjacent events by the same rule: what `compact` does, for three kinds. */
export function mergeAdjacent(events: readonly ContextAnyEvent[]): ContextAnyEvent[] {
  const merged: ContextAnyEvent[] = []
  for (const event of events) {
    const last = merged.at(-1) as unknown as Piece | undefined
    const both = last?.taskId === event.taskId ? mergePieces(last, event as unknown as Piece) : undefined
    if (both === undefined) merged.push(event)
    else merged[merged.length - 1] = both as unknown as ContextAnyEvent
  }
  return merged
}

/** The simplest fold. */
export const pieces: Folding<Folded> = { empty: emptyFold, fold, merge: mergeAdjacent }
/** The fold of the library. */
export const wholeView: Folding<View> = { empty: emptyView, fold: foldEvent, merge: compact }

function mergePieces(a: Piece, b: Piece): Piece | undefined {
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
