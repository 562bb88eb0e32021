/**
 * Generates legal event streams of one context: a task and its subtasks, interleaved as their agents run in
 * parallel, with events of every kind.
 *
 *     fc.property(legalStreams(), (events) => …)
 *     fc.property(legalStreams({ subtasks: false, internal: false }), (events) => …)
 *
 * A list of random choices drives a simulated agent that knows at each point which events the protocol
 * allows. So every stream is legal, and a counterexample shrinks to few choices.
 *
 * The streams obey these rules, besides the schemas:
 *
 * - `task-created` comes first and once; `submitted` only before `working`; a task waits only for what is
 *   open; success is the status `completed` then `task-complete`, or either alone; nothing follows the end
 * - a subtask is announced by its parent, begins after that, and ends before its parent
 * - content deltas count from 0 in each segment of their text, and the segment is repeated; texts that are open
 *   at the same time have different ids; no content and no new tool while waiting
 * - a text may be replaced, open or complete; an iteration is reset while none of its calls has started, and its ids are
 *   used again; a task states all of its iterations, or none
 * - a call whose arguments are streamed starts, fails, or stays open until its task ends
 * - tool, input and auth ids are unique and answered once, by the required party; progress never decreases
 * - files and datasets count from 0 and describe themselves on the first chunk; nothing follows the last
 *   chunk; each Base64 chunk decodes by itself; an artifact keeps its type; versions increase by 1; only
 *   complete artifacts are changed
 * - thoughts count within the task, their deltas within the thought; timestamps and iterations never
 *   decrease
 * - text has no unpaired surrogates, and every value is preserved by JSON
 *
 * In half of the streams, deltas are merged as far as possible.
 *
 * If a task fails or is canceled, open items stay open; a strict verifier warns about them.
 */
import fc from 'fast-check'
import type { ContextAnyEvent } from '../../src/events/event.ts'
import { compact } from '../../src/streams/index.ts'
import { jsonValue } from './json.ts'
import type { Choice, LegalStreamOptions } from './legal-streams/agent.ts'
import { play } from './legal-streams/play.ts'

export type { LegalStreamOptions } from './legal-streams/agent.ts'

/** Generates streams of one context with at least one event. The first event belongs to the root task. */
export function legalStreams(options: LegalStreamOptions = {}): fc.Arbitrary<ContextAnyEvent[]> {
  const { maxChoices = 40, focus } = options
  const size = focus === undefined ? {} : ({ size: 'max' } as const)
  return fc
    .tuple(fc.array(choice, { maxLength: maxChoices, ...size }), choice, fc.boolean())
    .map(([choices, last, isCompact]) => {
      const events = play(choices, last, options)
      return isCompact ? compact(events) : events
    })
}

/** The events of one task of a stream, in order. */
export function eventsOfTask(events: readonly ContextAnyEvent[], taskId: string): ContextAnyEvent[] {
  return events.filter((event) => event.taskId === taskId)
}

/** The ids of the tasks of a stream, in order of appearance. */
export function taskIds(events: readonly ContextAnyEvent[]): string[] {
  return [...new Set(events.map(({ taskId }) => taskId))]
}

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', ' ', '\n', 'wör', '👩‍👩‍👧', '\ufeff', '\ufffd', '</thinking>', 'null'),
  },
)

/** An object that JSON preserves: no `undefined`, no negative zero. */
const json = fc
  .dictionary(
    fc.string({ unit: 'grapheme', maxLength: 4 }),
    jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }),
    { maxKeys: 3, noNullPrototype: true },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, never>)

const choice: fc.Arbitrary<Choice> = fc.record({
  move: fc.nat(999),
  task: fc.nat(9),
  number: fc.nat(60),
  flag: fc.boolean(),
  text,
  json,
  bytes: fc.uint8Array({ maxLength: 9 }),
})
