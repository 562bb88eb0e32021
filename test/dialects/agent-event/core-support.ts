/** turnstream events for the tests in this folder: samples, and arbitraries of streams. */

import fc from 'fast-check'
import {
  type AnyEvent,
  type ContextAnyEvent,
  type ErrorInfo,
  type EventKind,
  type EventOf,
  eventKinds,
} from '../../../src/index.ts'
import { fieldsOfExample } from '../../support/examples.ts'
import { jsonValue } from '../../support/json.ts'

const timestamp = '2026-03-01T08:00:00Z'
const context = { contextId: 'ctx', taskId: 'task' }
const unavailable: ErrorInfo = { code: 'unavailable', message: 'Try later.', retry: 'retryable' }

/** Fields that an example needs in order to be mapped. */
const inTask: { readonly [K in EventKind]?: Partial<EventOf<K>> } = {
  'task-status': { status: 'failed', error: unavailable },
  'content-delta': { index: 0 },
}

/** The published example of each kind, as an event of the tool call `c`. */
export const samples = Object.fromEntries(
  eventKinds.map((kind) => {
    const fields = { ...fieldsOfExample(kind), ...inTask[kind] }
    return [kind, 'toolCallId' in fields ? { ...fields, toolCallId: 'c' } : fields]
  }),
) as unknown as { readonly [K in EventKind]: Omit<EventOf<K>, 'kind' | 'timestamp'> }

/** An event of the task. */
export function core<K extends EventKind>(
  kind: K,
  fields: Omit<EventOf<K>, 'kind' | 'timestamp'>,
): ContextAnyEvent {
  return { kind, ...context, timestamp, ...fields } as unknown as ContextAnyEvent
}

/** Any event, in any order, and some other values. */
export const coreEvent: fc.Arbitrary<AnyEvent> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(fc.constantFrom(...eventKinds), fc.constantFrom('task', 'other'), fc.constantFrom('c', 'd'))
      .map(([kind, taskId, toolCallId]) => ({
        ...core(kind, samples[kind] as never),
        taskId,
        ...('toolCallId' in samples[kind] && { toolCallId }),
      })),
  },
  { weight: 1, arbitrary: jsonValue() as fc.Arbitrary<unknown> as fc.Arbitrary<AnyEvent> },
)

interface Move {
  do: 'think' | 'write' | 'call' | 'progress' | 'finish' | 'other'
  at: number
  text: string
  more: Record<string, string>
  data: fc.JsonValue
}

const move: fc.Arbitrary<Move> = fc.record({
  do: fc.constantFrom<Move['do']>('think', 'write', 'call', 'progress', 'finish', 'other'),
  at: fc.nat({ max: 11 }),
  text: fc.string({ maxLength: 5 }),
  more: fc.dictionary(fc.constantFrom('step', 'provider', 'mine', 'reason'), fc.string({ maxLength: 3 })),
  data: jsonValue({ maxDepth: 1 }),
})

/** A legal task: segments end at tool calls and at the end of the task. */
export const coreTask: fc.Arbitrary<ContextAnyEvent[]> = fc
  .tuple(fc.array(move, { maxLength: 24 }), fc.nat({ max: 5 }))
  .map(([moves, ending]) => {
    const events = [core('task-created', { initiator: 'user' }), core('task-status', { status: 'working' })]
    const open: { toolCallId: string; toolName: string; progress: number }[] = []
    const deltas: string[] = []
    let thoughts = 0
    const closeSegment = (): void => {
      if (deltas.length > 0) events.push(core('content-complete', { content: deltas.splice(0).join('') }))
    }
    for (const [i, { do: what, at, text, more, data }] of moves.entries()) {
      const metadata = Object.keys(more).length === 0 ? {} : { metadata: more }
      const call = open[at % Math.max(open.length, 1)]
      if (what === 'think') {
        const thoughtType = at % 2 === 0 ? 'reasoning' : 'decision'
        const verbosity = at % 3 === 0 ? 'normal' : 'brief'
        const thought = {
          thoughtId: `h${i}`,
          thoughtType,
          verbosity,
          content: text,
          index: thoughts++,
        } as const
        events.push(core('thought-stream', { ...thought, ...metadata }))
      } else if (what === 'write') {
        events.push(core('content-delta', { delta: text, index: deltas.length }))
        deltas.push(text)
      } else if (what === 'call') {
        closeSegment()
        const opened = { toolCallId: `c${i}`, toolName: ['read', 'write'][at % 2] ?? 'read' }
        open.push({ ...opened, progress: 0 })
        events.push(core('tool-start', { ...opened, arguments: { [text]: data }, ...metadata }))
      } else if (what === 'other') {
        events.push(core('task-error', { error: unavailable }))
      } else if (call !== undefined && what === 'progress') {
        call.progress = Math.min(1, call.progress + at / 20)
        const { toolCallId, progress } = call
        const message = at % 2 === 0 ? { message: text } : {}
        if (at === 11) events.push(core('tool-progress', { toolCallId, progress, metadata: { data } }))
        else events.push(core('tool-progress', { toolCallId, progress, ...message, ...metadata }))
      } else if (call !== undefined) {
        open.splice(open.indexOf(call), 1)
        const { toolCallId, toolName } = call
        const outcome = [
          { success: true, result: text },
          { success: true, result: data },
          { success: false, error: text },
        ]
        events.push(
          core('tool-complete', {
            toolCallId,
            toolName,
            ...(outcome[at % 3] ?? { success: true }),
            ...metadata,
          }),
        )
      }
    }
    const completed = core('task-status', { status: 'completed' })
    const complete = core('task-complete', { artifacts: ['a'] })
    const ends = [
      [completed],
      [complete],
      [completed, complete],
      [complete, completed],
      [core('task-status', { status: 'failed', error: unavailable })],
      [core('task-status', { status: 'canceled', message: 'Stopped.' })],
    ]
    if (ending < 4) {
      for (const { toolCallId, toolName } of open) {
        events.push(core('tool-complete', { toolCallId, toolName, success: true, result: '' }))
      }
    }
    closeSegment()
    return [...events, ...(ends[ending] ?? [])]
  })
