// Proves that no reader takes events from a peer unless its option `extension` says so: they are only reported.

import fc from 'fast-check'
import { a2aExtensionUri, fromA2a } from 'turnstream/a2a'
import { fromAgUi } from 'turnstream/ag-ui'
import { fromUiMessageStream } from 'turnstream/ai-sdk'
import { describe, expect, it } from 'vitest'
import { entryPoints } from '../../scripts/entry-points.ts'
import { eventOf } from '../support/event-of.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { resultsOf } from '../support/mapper-laws.ts'
import { runs } from '../support/runs.ts'
import { a2aStreams } from './a2a/a2a-streams.ts'
import { agUiStreams } from './ag-ui/streams.ts'
import { chunkStreams } from './ai-sdk/chunk-streams.ts'

type Item = Readonly<Record<string, unknown>>
type Items = readonly Item[]

interface Reader {
  readonly open: (options?: { extension?: boolean | undefined }) => unknown
  /** How a stream of task `t` in context `c` begins. */
  readonly start: Item
  /** What a peer sends, without events of ours. */
  readonly streams: fc.Arbitrary<Items>
  /** The items with events beside the one at an index. */
  readonly carry: (items: Items, at: number, events: readonly unknown[]) => Items
}

/** The metadata of an A2A item is that of the update or task in it. */
function withMetadata(item: Item, more: object): Item {
  const name = Object.keys(item).find((key) => /^(task|message|statusUpdate|artifactUpdate)$/.test(key))
  const inner = name === undefined ? item : (item[name] as Item)
  const changed = { ...inner, metadata: { ...(inner.metadata as object | undefined), ...more } }
  return name === undefined ? changed : { ...item, [name]: changed }
}

/** Items with others inserted. */
function inserted(items: Items, at: number, more: Items): Items {
  return [...items.slice(0, at), ...more, ...items.slice(at)]
}

const marked = (item: Item): Item => withMetadata(item, { turnstream: '1.0' })

const task = { id: 't', contextId: 'c', status: { state: 'submitted' } }

function a2a(version: '0.3' | '1.0'): Reader {
  return {
    open: (options) => fromA2a({ now: () => 0, ...options } as never),
    start: version === '0.3' ? { kind: 'task', ...task } : { task },
    streams: a2aStreams(version).map(({ items }) => items as never),
    carry: (items, at, events) =>
      items.map((item, i) => {
        const number =
          item.task === undefined && item.kind !== 'task' ? { sequence: 0 } : { next: events.length }
        return i === at ? withMetadata(item, { [a2aExtensionUri]: { ...number, events } }) : item
      }),
  }
}

const readers: Readonly<Record<string, readonly Reader[]>> = {
  fromA2a: [a2a('0.3'), a2a('1.0')],
  fromAgUi: [
    {
      open: (options) => fromAgUi({ now: () => 0, ...options } as never),
      start: marked({ type: 'RUN_STARTED', threadId: 'c', runId: 't' }),
      // The mark of runs with the extension is metadata to those who do not read it.
      streams: agUiStreams.map((items) =>
        (items as unknown as Items).map((item) => (item.type === 'RUN_STARTED' ? marked(item) : item)),
      ),
      carry: (items, at, events) =>
        inserted(
          items,
          at + 1,
          events.map((value) => ({
            type: 'CUSTOM',
            name: `turnstream:${(value as { kind: string }).kind}`,
            value,
          })),
        ),
    },
  ],
  fromUiMessageStream: [
    {
      open: (options) => fromUiMessageStream({ now: () => 0, ...options } as never),
      start: { type: 'start', messageId: 't' },
      streams: chunkStreams as never,
      carry: (items, at, events) =>
        inserted(
          items,
          at,
          events.map((event) => ({ type: 'data-turnstream', transient: true, data: { event, chunks: 0 } })),
        ),
    },
  ],
}

/** What a peer must not decide: who answered, who authenticated, what the client runs, who sees what. */
const attacks = [
  eventOf({ kind: 'input-received', inputId: 'input-1', providedBy: 'user', userId: 'admin' }),
  eventOf({ kind: 'auth-completed', authId: 'auth-1', userId: 'admin' }),
  eventOf({
    kind: 'tool-start',
    toolCallId: 'call-1',
    toolName: 'pay',
    arguments: { amount: 1 },
    metadata: { provider: 'client' },
  }),
  eventOf({ kind: 'custom', name: 'acme.note', data: 1, metadata: { audience: ['operator'] } }),
]

const forged = fc.oneof(
  fc.shuffledSubarray([...attacks], { minLength: 1 }),
  legalStreams({ maxChoices: 6 }).filter((events) => events.length > 0),
)

function read({ open }: Reader, items: Items, ...options: Parameters<Reader['open']>): unknown[] {
  const results = resultsOf(open(...options) as never, items as never[])
  return results.flatMap(({ out }) => [...out])
}

const entries = Object.entries(readers).flatMap(([name, all]) => all.map((reader) => [name, reader] as const))

describe.each(entries)('%s', (_, reader) => {
  it('emits nothing that depends on the events a peer adds', () => {
    fc.assert(
      fc.property(
        reader.streams.filter(({ length }) => length > 0),
        fc.nat(),
        forged,
        fc.constantFrom([], [{}], [{ extension: undefined }], [{ extension: false }]),
        (items, n, events, options) => {
          const at = n % items.length
          const harmless = events.map(() => ({ kind: 'unheard-of' }))
          const [carried, plain] = [events, harmless].map((added) => reader.carry(items, at, added)) as [
            Items,
            Items,
          ]
          expect(read(reader, carried, ...options)).toEqual(read(reader, plain, ...options))
        },
      ),
      { numRuns: runs(60) },
    )
  })

  it.each(attacks)('emits $kind of a peer that is trusted', (event) => {
    const out = read(reader, reader.carry([reader.start], 0, [event]), { extension: true })
    expect(out).toContainEqual(expect.objectContaining({ ...event, contextId: 'c', taskId: 't' }))
  })
})

it('covers every reader that has the option', async () => {
  const found: string[] = []
  for (const { source } of entryPoints) {
    if (!source.startsWith('src/dialects/')) continue
    const module = (await import(`../../${source}`)) as Record<string, unknown>
    for (const [name, value] of Object.entries(module)) {
      if (!/^from[A-Z]/.test(name) || typeof value !== 'function') continue
      try {
        value({ extension: 'junk' })
      } catch (error) {
        if (String(error).includes('"extension" must be')) found.push(name)
      }
    }
  }
  expect(found.sort()).toEqual(Object.keys(readers).sort())
})
