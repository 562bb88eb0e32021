/** Random sessions: legal ones as documented, and such as real servers send. */
import fc from 'fast-check'
import type { SessionInput } from '../../../src/dialects/session/index.ts'
import { sessionEventSchemas } from '../../../src/dialects/session/wire/schemas/index.ts'
import { jsonValue } from '../../support/json.ts'
import { accepted } from '../../support/zod-arbitrary.ts'

const text = fc.string({ minLength: 1, maxLength: 6 })
const json = jsonValue({ maxDepth: 1 }) as fc.Arbitrary<unknown>
type Event = Record<string, unknown> & { event: string }

let count = 0

/** A timestamp, and an id that no other event has. */
const stamped = (event: Event, i: number): SessionInput => ({
  timestamp: new Date(Date.UTC(2026, 2, 4) + i * 1000).toISOString(),
  ...event,
  session_id: 's-7',
})

/** A documented event with random fields. */
function documented(event: keyof typeof sessionEventSchemas, more: object = {}): fc.Arbitrary<Event> {
  return accepted(sessionEventSchemas[event]).map((value) => {
    const { timestamp: _, ...fields } = value as Event
    const own = more as { metadata?: object; content?: object }
    return {
      ...fields,
      ...more,
      ...(own.metadata !== undefined && { metadata: { ...(fields.metadata as object), ...own.metadata } }),
      ...(own.content !== undefined && { content: { ...(fields.content as object), ...own.content } }),
      event,
    } as Event
  })
}

const sequence = (...parts: readonly fc.Arbitrary<Event | readonly Event[]>[]): fc.Arbitrary<Event[]> =>
  fc.tuple(...parts).map((lists) => lists.flat() as Event[])

const some = (arbitrary: fc.Arbitrary<Event | readonly Event[]>): fc.Arbitrary<Event[]> =>
  fc.array(arbitrary, { maxLength: 3 }).map((lists) => lists.flat() as Event[])

/** Most servers state one step for all parts of an answer. */
const step = fc.constantFrom('step-of-parts', 'step-of-parts', 'step-of-parts', 'step-of-others')

const answered: fc.Arbitrary<Event[]> = fc
  .tuple(fc.array(fc.tuple(text, step), { maxLength: 3 }), step)
  .chain(([chunks, step_id]) =>
    sequence(
      fc.constant(
        chunks.map(([content, step_id], chunk_index) => ({
          event: 'agent.partial_answer',
          step_id,
          content,
          metadata: { chunk_index },
        })),
      ),
      documented('agent.final_answer', {
        step_id,
        content: { answer: chunks.map(([content]) => content).join('') || 'So.' },
      }),
    ),
  )

const call: fc.Arbitrary<Event[]> = fc.nat().chain((n) => {
  const call_id = `k-${n}-${count++}`
  return sequence(
    documented('agent.tool_call', { metadata: { call_id } }),
    documented('agent.tool_result', { metadata: { call_id } }),
  )
})

const question: fc.Arbitrary<Event[]> = fc.nat().chain((n) => {
  const step_id = `q-${n}-${count++}`
  return sequence(documented('agent.user_confirm', { step_id }), documented('user.response', { step_id }))
})

const within = fc.oneof(
  documented('agent.thinking').map((event) => [event]),
  call,
  question,
  documented('error.execution').map((event) => [event]),
  documented('error.retry', { metadata: { attempt: 1, max_attempts: 2 } }).map((event) => [event]),
)

const round: fc.Arbitrary<Event[]> = sequence(
  documented('user.message', { metadata: { message_type: 'query' } }),
  documented('plan.start'),
  some(documented('plan.validation_error')),
  documented('plan.completed'),
  documented('solver.start'),
  some(
    fc.oneof(
      within,
      documented('solver.progress').map((event) => [event]),
    ),
  ),
  answered,
  documented('solver.completed'),
  documented('aggregate.start'),
  documented('aggregate.completed'),
  documented('pipeline.completed'),
)

/** Documented sessions of one to three rounds. */
export const sessions: fc.Arbitrary<readonly SessionInput[]> = fc
  .array(round, { minLength: 1, maxLength: 3 })
  .map((rounds) => rounds.flat().map(stamped))

const show = { show_content: 'Summary', step_id: null }
const realCall: fc.Arbitrary<Event[]> = fc
  .tuple(text, json, fc.boolean(), json)
  .map(([tool, arg, ok, data]) => [
    {
      event: 'agent.tool_call',
      step_id: `step_0_${tool}`,
      content: { tool_name: tool, tool_description: `Calling tool: ${tool}`, arguments: { arg } },
      metadata: { tool, args: { arg }, status: 'running', call_id: `step_0_${tool}` },
    },
    {
      event: 'agent.tool_result',
      step_id: `step_0_${tool}`,
      content: { result: JSON.stringify(data), tool_name: tool, status: ok ? 'success' : 'error' },
      metadata: {
        tool,
        status: ok ? 'success' : 'error',
        error: ok ? null : 'torn',
        call_id: `step_0_${tool}`,
      },
    },
  ])
const realThought: fc.Arbitrary<Event[]> = text.map((content) => [
  { event: 'agent.thinking', content, metadata: { step: 0 }, show_content: 'Thinking' },
])
const realStep = fc.oneof(realCall, realThought)
const realTask: fc.Arbitrary<Event[]> = fc
  .tuple(fc.nat(3), some(realStep), json)
  .map(([id, steps, output]) => [
    { event: 'solver.start', content: { task: { id, title: `Task ${id}` } }, ...show },
    ...steps,
    {
      event: 'solver.completed',
      content: { task: { id, title: `Task ${id}` }, result: { output, summary: 'done' } },
      metadata: { statistics: [{ model: 'm', input_tokens: 8 }] },
      ...show,
    },
  ])
const final: fc.Arbitrary<Event> = text.map((content) => ({
  event: 'agent.final_answer',
  content,
  show_content: content,
}))
const stop: fc.Arbitrary<Event> = fc.constantFrom(
  { event: 'agent.error', content: 'Execution error: torn' },
  { event: 'agent.timeout', content: 'Too slow' },
  { event: 'agent.interrupted', content: 'Execution cancelled' },
)
const refusal: fc.Arbitrary<Event> = fc.constantFrom(
  { event: 'agent.error', content: 'Missing step_id in user response' },
  {
    event: 'system.notice',
    content: 'Attempt 1/3 failed.',
    metadata: { attempt: 1, total_attempts: 3, retry_delay_seconds: 0.5, error: 'torn' },
  },
  {
    event: 'system.notice',
    content: 'No running task',
    metadata: { action: 'cancel_task', ok: false, task_id: 1 },
  },
)
const message: fc.Arbitrary<Event> = text.map((content) => ({ event: 'user.message', content }))
const planned: fc.Arbitrary<Event[]> = sequence(
  text.map((question) => ({ event: 'plan.start', content: { question }, ...show })),
  some(realStep),
  text.map((title) => ({
    event: 'plan.completed',
    content: { tasks: [{ id: 1, title }], plan_summary: title },
    metadata: { statistics: [] },
    ...show,
  })),
  some(refusal),
)
const piped: fc.Arbitrary<Event[]> = sequence(
  planned,
  some(realTask),
  fc.constant({ event: 'aggregate.start', content: { context: { name: 'x' } }, ...show }),
  json.map((output) => ({
    event: 'aggregate.completed',
    content: { context: { name: 'x' }, output },
    ...show,
  })),
  json.map((output) => ({
    event: 'pipeline.completed',
    content: { aggregate_output: output },
    metadata: { metrics: { a: 1 } },
    ...show,
  })),
  final,
)
const realRun: fc.Arbitrary<Event[]> = fc.oneof(
  sequence(message, piped),
  piped,
  sequence(message, some(realStep), final),
  sequence(some(realStep), final),
  sequence(message, some(realStep), stop),
  sequence(message, planned, stop),
)

/** An event as it was before it was decoded leniently. */
function undecoded(event: SessionInput): SessionInput {
  const { content, metadata } = event as {
    content: { tool_description?: string; result?: unknown }
    metadata: object
  }
  if (!/^agent\.tool_(call|result)$/.test(event.event)) return event
  const { call_id: _, ...rest } = metadata as { call_id?: unknown }
  return { ...event, content: content.tool_description ?? content.result, metadata: rest }
}

/** Sessions as real servers send them, decoded leniently: of both sides, or of the server alone. */
export const realSessions: fc.Arbitrary<readonly SessionInput[]> = fc
  .array(realRun, { minLength: 1, maxLength: 3 })
  .map((list) => list.flat().map(stamped))

/** Those sessions as they were before they were decoded, with timestamps as Python writes them. */
export const rawSessions: fc.Arbitrary<readonly SessionInput[]> = realSessions.map((events) =>
  events.map((event) => {
    const { timestamp } = event as { timestamp: string }
    return { ...undecoded(event), timestamp: timestamp.replace('000Z', '000123') }
  }),
)
