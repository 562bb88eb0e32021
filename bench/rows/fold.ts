/** What a stream amounts to, whether it is legal, and saying it with fewer events. */
import { deepStrictEqual, strictEqual } from 'node:assert'
import { type ContextAnyEvent, run } from '../src/index.ts'
import { compact, emptyView, foldEvent, partsOf, taskOf, type View, verifier } from '../src/streams/index.ts'
import { wordsFrom } from './data.ts'
import { nsPer, type Row, race, ratio, type Timing } from './harness.ts'

const DELTAS = 100_000
const MESSAGES = 10_000
const context = { contextId: 'ctx-1', taskId: 'task-now', timestamp: '2026-01-31T10:30:00.000Z' }

type Bare = Readonly<Record<string, unknown>> & { readonly kind: string }

export async function bench(rounds: number): Promise<Row[]> {
  return [...(await folding(rounds)), ...(await checking(rounds))]
}

async function folding(rounds: number): Promise<Row[]> {
  const text = deltasOf(DELTAS)
  const thought = deltasOf(DELTAS, 'thought-delta', { thoughtId: 'thought-now' })
  const begun = fold(eventsOf({ kind: 'task-created', initiator: 'user' }), emptyView)
  const inTasks = fold(
    messages((n) => `task-${n}`),
    begun,
  )
  const inOneTask = fold(
    messages(() => 'task-now'),
    begun,
  )
  const whole = text.map((event) => ('delta' in event ? event.delta : '')).join('')
  for (const view of [begun, inTasks, inOneTask]) strictEqual(textOf(fold(text, view)), whole)

  const rows: Row[] = []
  for (const [name, deltas] of [
    ['content', text],
    ['thought', thought],
  ] as const) {
    const times = await race(rounds, {
      none: () => foldSum(deltas, begun),
      tasks: () => foldSum(deltas, inTasks),
      segments: () => foldSum(deltas, inOneTask),
    })
    rows.push({
      what: `fold, a ${name} delta, the first message`,
      measured: nsPer('delta', times.none, DELTAS),
    })
    const rowOf = (where: string, time: Timing): Row => {
      const growth = ratio(time, times.none)
      return {
        what: `fold, a ${name} delta after 10 000 messages ${where}`,
        measured: nsPer('delta', time, DELTAS),
        ratio: { ...growth, against: 'the first message' },
        budget: { figure: growth.typical, bound: 'at most', limit: 1.5, unit: 'x' },
      }
    }
    rows.push(rowOf('in as many tasks', times.tasks), rowOf('in the same task', times.segments))
  }
  return rows
}

async function checking(rounds: number): Promise<Row[]> {
  const stream = [...messages((n) => `task-${n}`)]
  const deltas = deltasOf(DELTAS)
  const check = (events: readonly ContextAnyEvent[]): number => {
    const { push, end } = run(verifier())
    let found = 0
    for (const event of events) found += push(event).length
    return found + end().length
  }
  strictEqual(check(stream), 0)
  deepStrictEqual(fold(compact(stream), emptyView), fold(stream, emptyView))
  const times = await race(rounds, {
    verify: () => check(stream),
    verifyDeltas: () => check(deltas),
    compact: () => compact(stream).length,
    compactDeltas: () => compact(deltas).length,
    foldAll: () => foldSum(stream, emptyView),
  })
  const rate = (time: Timing, count: number): string => `${Math.round(count / time.median)} k events/s`
  return [
    {
      what: `verify, ${MESSAGES} tasks with tools, thoughts and text`,
      measured: `${nsPer('event', times.verify, stream.length)}, ${rate(times.verify, stream.length)}`,
      ratio: { ...ratio(times.verify, times.foldAll), against: 'folding them' },
    },
    {
      what: 'verify, content deltas',
      measured: `${nsPer('event', times.verifyDeltas, DELTAS)}, ${rate(times.verifyDeltas, DELTAS)}`,
    },
    {
      what: `compact, ${MESSAGES} tasks with tools, thoughts and text`,
      measured: `${nsPer('event', times.compact, stream.length)}, ${rate(times.compact, stream.length)}`,
    },
    {
      what: 'compact, content deltas',
      measured: `${nsPer('event', times.compactDeltas, DELTAS)}, ${rate(times.compactDeltas, DELTAS)}`,
    },
  ]
}

/** Deltas of a word each, of one segment or thought, as they come out of `JSON.parse`. */
function deltasOf(count: number, kind = 'content-delta', more: object = {}): ContextAnyEvent[] {
  const words = wordsFrom(3)
  return Array.from({ length: count }, (_, index) => {
    const event = { kind, ...context, ...more, delta: words(1), index }
    return JSON.parse(JSON.stringify(event)) as ContextAnyEvent
  })
}

/** Messages of an agent: each thinks, calls a tool and writes a text in ten deltas. */
function* messages(taskOfMessage: (n: number) => string): Generator<ContextAnyEvent> {
  const words = wordsFrom(7)
  const thoughts = new Map<string, number>()
  for (let n = 0; n < MESSAGES; n++) {
    const taskId = taskOfMessage(n)
    const isOwn = taskId !== context.taskId
    const index = thoughts.get(taskId) ?? 0
    thoughts.set(taskId, index + 1)
    const call = { toolCallId: `call-${n}`, toolName: 'search' }
    const deltas = Array.from({ length: 10 }, () => `${words(2)} `)
    const thought = { thoughtId: `thought-${n}`, thoughtType: 'planning', verbosity: 'brief' }
    const events: Bare[] = [
      { kind: 'thought-stream', ...thought, content: words(8), index },
      { kind: 'tool-start', ...call, arguments: { query: words(2) } },
      { kind: 'tool-complete', ...call, success: true, result: { hits: n } },
      ...deltas.map((delta, at) => ({ kind: 'content-delta', delta, index: at })),
      { kind: 'content-complete', content: deltas.join('') },
    ]
    if (isOwn) {
      events.unshift({ kind: 'task-created', initiator: 'user' }, { kind: 'task-status', status: 'working' })
      events.push({ kind: 'task-complete' })
    }
    for (const event of events) {
      yield JSON.parse(JSON.stringify({ ...context, taskId, ...event })) as ContextAnyEvent
    }
  }
}

function eventsOf(...list: readonly Bare[]): ContextAnyEvent[] {
  return list.map((event) => ({ ...context, ...event }) as unknown as ContextAnyEvent)
}

function fold(events: Iterable<ContextAnyEvent>, view: View): View {
  let next = view
  for (const event of events) next = foldEvent(next, event)
  return next
}

function foldSum(events: readonly ContextAnyEvent[], view: View): number {
  return fold(events, view).tasks.items.size
}

function textOf(view: View): string | undefined {
  const task = taskOf(view, context.taskId)
  const last = task && partsOf(task).at(-1)
  return last?.type === 'text' ? last.text : undefined
}
