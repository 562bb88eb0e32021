/** agentwire events for the tests in this folder: samples, and arbitraries of streams. */

import fc from 'fast-check'
import type { AnyEvent, ContextAnyEvent, ErrorInfo, EventKind, EventOf } from '../../../src/index.ts'
import { jsonValue } from '../../support/json.ts'

const timestamp = '2026-03-01T08:00:00Z'
const context = { contextId: 'ctx', taskId: 'task' }
const unavailable: ErrorInfo = { code: 'unavailable', message: 'Try later.', retry: 'retryable' }

/** One event of each kind, with optional fields. */
export const samples: { readonly [K in EventKind]: Omit<EventOf<K>, 'kind' | 'timestamp'> } = {
  'task-created': { initiator: 'user', metadata: { model: 'm' } },
  'task-status': { status: 'failed', error: unavailable, message: 'Failed.', metadata: { reason: 'r' } },
  'task-complete': { content: 'Done.', artifacts: ['a'], metadata: { duration: 3 } },
  'content-delta': {
    contentId: 'x',
    delta: 'a',
    index: 0,
    indexEnd: 2,
    timestampEnd: '2026-03-01T08:00:01Z',
  },
  'content-complete': {
    contentId: 'x',
    content: 'a',
    finishReason: 'stop',
    metadata: { usage: [{ inputTokens: 1 }] },
  },
  'tool-start': { toolCallId: 'c', toolName: 't', arguments: { a: 1 }, metadata: { provider: 'mcp' } },
  'tool-arguments-delta': { toolCallId: 'c', toolName: 't', delta: '{', index: 0 },
  'tool-progress': { toolCallId: 'c', progress: 0.5, message: 'half', metadata: { step: 'one', mine: 1 } },
  'tool-complete': {
    toolCallId: 'c',
    toolName: 't',
    success: true,
    result: { b: 2 },
    metadata: { cached: true },
  },
  'input-required': { inputId: 'i', inputType: 'confirmation', prompt: 'Sure?' },
  'input-received': { inputId: 'i', providedBy: 'user' },
  'input-canceled': { inputId: 'i', reason: 'expired' },
  'auth-required': { authId: 'i', authType: 'api-key', prompt: 'Key?' },
  'auth-completed': { authId: 'i', userId: 'u' },
  'auth-failed': { authId: 'i', reason: 'denied' },
  'file-write': { artifactId: 'f', data: '', index: 0, complete: true },
  'data-write': { artifactId: 'f', data: {} },
  'dataset-write': { artifactId: 'f', rows: [], index: 0, complete: true },
  'artifact-delta': {
    artifactId: 'f',
    baseVersion: 1,
    version: 2,
    change: { type: 'text-append', text: 'a' },
  },
  'subtask-created': { subtaskId: 's', prompt: 'p' },
  'thought-delta': { thoughtId: 'h', delta: 'a', index: 0 },
  'thought-stream': {
    thoughtId: 'h',
    thoughtType: 'planning',
    verbosity: 'brief',
    content: 'a',
    index: 0,
    metadata: { confidence: 0.5 },
  },
  'task-error': { error: unavailable },
  'internal:thought-process': { iteration: 0, stage: 'pre-llm', reasoning: 'r', state: {} },
  'internal:llm-call': { iteration: 0, model: 'm', messageCount: 1, toolCount: 0 },
  'internal:checkpoint': { iteration: 0 },
  'internal:tool-start': { toolCallId: 'c', toolName: 't' },
  'internal:tool-complete': { toolCallId: 'c', toolName: 't', success: true },
}

/** An event of the task. */
export function core<K extends EventKind>(
  kind: K,
  fields: Omit<EventOf<K>, 'kind' | 'timestamp'>,
): ContextAnyEvent {
  return { kind, ...context, timestamp, ...fields } as unknown as ContextAnyEvent
}

const kinds = Object.keys(samples) as EventKind[]

/** Any event, in any order, and some other values. */
export const coreEvent: fc.Arbitrary<AnyEvent> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(fc.constantFrom(...kinds), fc.constantFrom('task', 'other'), fc.constantFrom('c', 'd'))
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
