// Proves that no reader lets its peer decide who sees an event: labels are removed, and reported.

import fc from 'fast-check'
import { fromAgUi } from 'turnstream/ag-ui'
import { fromLooopy } from 'turnstream/looopy'
import { audienceOf } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../src/index.ts'
import { eventOf } from '../support/event-of.ts'
import { labels, withFields } from '../support/labels.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { resultsOf } from '../support/mapper-laws.ts'
import { runs } from '../support/runs.ts'
import { a2aStreams } from './a2a/a2a-streams.ts'
import { agUiStreams } from './ag-ui/streams.ts'
import { chunkStreams } from './ai-sdk/chunk-streams.ts'
import { formats, writtenBy } from './formats.ts'

type Items = readonly object[]

const reader = (format: string): (() => unknown) => {
  const found = formats.find(({ name }) => name === format)
  if (found === undefined) throw new Error(`no format ${format}`)
  return found.reader
}

/** What the writers write, and what peers send. Frames are a log of one's own; events of a provider are drafts. */
const peers: readonly [name: string, reader: () => unknown, streams: fc.Arbitrary<Items>][] = [
  ...formats
    .filter(({ format }) => format !== 'frames' && format !== 'openai')
    .map((format) => {
      const streams = legalStreams({ maxChoices: 12 }).map((events) => writtenBy(format, events) as Items)
      return [format.name, format.reader, streams] as [string, () => unknown, fc.Arbitrary<Items>]
    }),
  ['peers of AG-UI', reader('AG-UI'), agUiStreams as never],
  ['AG-UI with raw events', () => fromAgUi({ now: () => 0, raw: true }), agUiStreams as never],
  ['peers of the AI SDK', reader('AI SDK 6'), chunkStreams as never],
  ['peers of A2A 0.3', reader('A2A 0.3'), a2aStreams('0.3').map(({ items }) => items as never)],
  ['peers of A2A 1.0', reader('A2A 1.0'), a2aStreams('1.0').map(({ items }) => items as never)],
  ['Looopy', () => fromLooopy({ now: () => 0 }), legalStreams({ maxChoices: 12 }) as never],
]

function read(machine: unknown, items: Items): { events: ContextAnyEvent[]; codes: string[] } {
  const results = resultsOf<unknown, object, ContextAnyEvent, never>(machine as never, items)
  return {
    events: results.flatMap(({ out }) => out),
    codes: results.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)),
  }
}

/** Who would see an event that had no label. */
function unlabeled({ metadata: _, ...event }: ContextAnyEvent & { metadata?: object }): string[] {
  return audienceOf(event as ContextAnyEvent)
}

const isRaw = (event: ContextAnyEvent): boolean => event.kind === 'custom' && event.name === 'ag-ui.raw'

describe.each(peers)('the reader of %s', (_, open, streams) => {
  it('gives no event a label that its peer has stated', () => {
    fc.assert(
      fc.property(streams, labels, fc.integer({ min: 1, max: 31 }), (items, more, depths) => {
        const { events } = read(open(), items.map((item) => withFields(item, more, depths)) as Items)
        for (const event of events)
          expect(audienceOf(event)).toEqual(isRaw(event) ? ['operator'] : unlabeled(event))
      }),
      { numRuns: runs(100) },
    )
  })
})

const label = { audience: ['operator'] }

it.each<[string, unknown, Items]>([
  [
    'AG-UI',
    fromAgUi({ now: () => 0 }),
    [{ type: 'RUN_STARTED', threadId: 'c', runId: 't', metadata: label }],
  ],
  ['the AI SDK', reader('AI SDK 6')(), [{ type: 'start', messageId: 't', messageMetadata: label }]],
  [
    'A2A',
    reader('A2A 1.0')(),
    [{ task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' }, metadata: label } }],
  ],
  ['Looopy', fromLooopy(), [{ ...eventOf({ kind: 'task-created', initiator: 'user' }), metadata: label }]],
])('a label of %s is reported', (_, machine, items) => {
  const { events, codes } = read(machine, items)
  expect(events[0]).not.toHaveProperty('metadata')
  expect(codes).toContain('lossy:metadata')
})
