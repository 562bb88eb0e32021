/** Legal streams of one task in the core vocabulary, for properties. */
import fc from 'fast-check'
import { sessionCoverage } from '../../../src/dialects/session/index.ts'
import { type AnyEvent, type ContextAnyEvent, eventKinds } from '../../../src/index.ts'
import { fieldsOfExample } from '../../support/examples.ts'
import { jsonValue } from '../../support/json.ts'

type Fields = Record<string, unknown> & { kind: AnyEvent['kind'] }
type Events = fc.Arbitrary<readonly Fields[]>

const text = fc.string({ maxLength: 8 })
const id = fc.string({ minLength: 1, maxLength: 6 })
const json = jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>
const metadata = fc.dictionary(fc.constantFrom('x', 'y'), json, { maxKeys: 2 })

/** A record of optional fields. */
const some = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> =>
  fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>

const error = fc
  .tuple(
    fc.record({
      code: id,
      message: text,
      retry: fc.constantFrom('retrying', 'retryable', 'exhausted', 'terminal'),
    }),
    some({ retryAfterMs: fc.nat(999), scope: fc.constantFrom('tool', 'task', 'stream'), details: json }),
  )
  .map(([needed, more]) => ({ ...needed, ...more }))

const segment: Events = fc
  .tuple(fc.array(text, { maxLength: 4 }), some({ finishReason: text }))
  .map(([deltas, more]) => [
    ...deltas.map((delta, index): Fields => ({ kind: 'content-delta', delta, index })),
    { kind: 'content-complete', content: deltas.join(''), ...more },
  ])

/** Two texts at the same time. */
const texts: Events = fc.tuple(text, text, text).map(([a, b, c]) => [
  { kind: 'content-delta', delta: a, index: 0 },
  { kind: 'content-delta', contentId: 'second', delta: b, index: 0 },
  { kind: 'content-delta', delta: c, index: 1 },
  { kind: 'content-complete', content: a + c },
  { kind: 'content-delta', contentId: 'second', delta: c, index: 1 },
  {
    kind: 'content-complete',
    contentId: 'second',
    content: b + c,
    metadata: { usage: [{ inputTokens: 1 }], sources: [{ url: a }] },
  },
])

/** A call whose arguments are cut off. */
const cutOff: Events = fc.uuid().map((toolCallId) => [
  { kind: 'tool-arguments-delta', toolCallId, toolName: 't', delta: '{', index: 0 },
  { kind: 'tool-complete', toolCallId, toolName: 't', success: false, error: 'cut off' },
])

const result = fc.oneof(
  fc.record({ success: fc.constant(true) }),
  fc.record({ success: fc.constant(true), result: json.filter((value) => value !== null) }),
  fc.record({ success: fc.constant(false), error: text }),
  fc.record({ success: fc.constant(false) }),
)

const tool: Events = fc
  .tuple(
    fc.uuid(),
    id,
    fc.dictionary(id, json, { maxKeys: 2 }),
    some({ metadata: some({ provider: text, concurrent: fc.boolean(), signature: text }) }),
    fc.array(fc.tuple(fc.integer({ min: 0, max: 64 }), some({ message: text, metadata })), { maxLength: 3 }),
    result,
    some({ metadata: some({ duration: fc.nat(99), cached: fc.boolean() }) }),
  )
  .map(([toolCallId, toolName, args, more, progress, outcome, rest]) => [
    { kind: 'tool-start', toolCallId, toolName, arguments: args, ...more },
    ...progress
      .sort(([a], [b]) => a - b)
      .map(
        ([share, fields]): Fields => ({ kind: 'tool-progress', toolCallId, progress: share / 64, ...fields }),
      ),
    { kind: 'tool-complete', toolCallId, toolName, ...outcome, ...rest },
  ])

const thought: Events = fc
  .tuple(
    fc.uuid(),
    fc.constantFrom('planning', 'reasoning', 'reflection', 'decision', 'observation', 'strategy'),
    fc.constantFrom('brief', 'normal', 'detailed'),
    text,
    some({ metadata: fc.oneof(metadata, some({ signature: text, redacted: fc.boolean() })) }),
  )
  .map(([thoughtId, thoughtType, verbosity, content, more]) => [
    { kind: 'thought-stream', thoughtId, thoughtType, verbosity, content, ...more },
  ])

const question: Events = fc
  .tuple(
    fc.uuid(),
    fc.constantFrom('tool-execution', 'confirmation', 'clarification', 'selection', 'custom'),
    text,
    some({ requireUser: fc.boolean(), metadata: some({ timeout: fc.nat(99), urgency: fc.constant('low') }) }),
    fc.option(fc.array(fc.oneof(id, fc.record({ id, label: text }), json), { maxLength: 3 }), {
      nil: undefined,
    }),
  )
  .map(([inputId, inputType, prompt, more, options]) => [
    {
      kind: 'input-required',
      inputId,
      inputType,
      prompt,
      ...more,
      ...(inputType === 'selection' && options && { options }),
    },
  ])

const failure: Events = error.map((error) => [{ kind: 'task-error', error }])

/** Events of the kinds without an equivalent in the session protocol. */
const omitted: readonly Fields[] = eventKinds
  .filter((kind) => sessionCoverage[kind] === 'omitted')
  .map((kind): Fields => ({ kind, ...fieldsOfExample(kind) }))

const working: Events = fc.constantFrom<readonly Fields[]>(
  [],
  [{ kind: 'task-status', status: 'working' }],
  [
    { kind: 'task-status', status: 'submitted' },
    { kind: 'task-status', status: 'working', message: 'Starting', metadata: { x: 1 } },
    { kind: 'task-status', status: 'working', message: 'Still' },
  ],
)

const complete: fc.Arbitrary<Fields> = some({
  content: text,
  metadata: some({ duration: fc.nat(99), tokensUsed: fc.nat(99), finishReason: text }),
}).map((fields) => ({ kind: 'task-complete' as const, ...fields }))
const completed: Fields = { kind: 'task-status', status: 'completed', message: 'Done' }

const ending: Events = fc.oneof(
  complete.map((event) => [completed, event]),
  complete.map((event) => [event, completed]),
  complete.map((event) => [event]),
  fc.constant<readonly Fields[]>([completed]),
  some({ message: text, error, metadata: some({ reason: text }) }).map((fields): readonly Fields[] => [
    { kind: 'task-status', status: 'failed', ...fields },
  ]),
  some({ message: text, metadata: some({ reason: text }) }).map((fields): readonly Fields[] => [
    { kind: 'task-status', status: 'canceled', ...fields },
  ]),
)

const steps = fc.array(
  fc.oneof(
    segment,
    texts,
    tool,
    cutOff,
    thought,
    question,
    failure,
    fc.constantFrom(...omitted.map((event) => [event])),
  ),
  { maxLength: 6 },
)

const created = some({
  metadata: some({ agentId: id, model: text, input: fc.oneof(text, json) }),
})

/** One task from start to end, in the context `ctx`. */
export function tasks(taskId: string): fc.Arbitrary<ContextAnyEvent[]> {
  return fc
    .tuple(fc.constantFrom('user', 'agent'), created, working, steps, ending)
    .map(([initiator, more, begun, middle, end]) => {
      let thoughts = 0
      const events: Fields[] = [
        { kind: 'task-created', initiator, ...more },
        ...begun,
        ...middle.flat(),
        ...end,
      ]
      return events.map((event, i) => ({
        ...event,
        ...(event.kind === 'thought-stream' && { index: thoughts++ }),
        contextId: 'ctx',
        taskId,
        timestamp: new Date(Date.UTC(2026, 2, 4) + i * 1000).toISOString(),
      })) as unknown as ContextAnyEvent[]
    })
}

/** Two tasks, one after the other. */
export const streams: fc.Arbitrary<ContextAnyEvent[]> = fc
  .tuple(tasks('task-1'), tasks('task-2'))
  .map(([first, second]) => [...first, ...second])
