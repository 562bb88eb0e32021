// End to end: no viewer gets a text that project hides from it, on any way out of the library.

import fc from 'fast-check'
import { type ContextAnyEvent, run } from 'turnstream'
import { toA2a } from 'turnstream/a2a'
import { toAgentEvents } from 'turnstream/agent-event'
import { toFrames } from 'turnstream/frames'
import { toSessionEvents } from 'turnstream/session'
import {
  closeDangling,
  compact,
  createRouter,
  createStream,
  emptyView,
  foldEvents,
  formatEventId,
  project,
  readFilter,
  snapshotEvents,
  type Viewer,
  watchStream,
} from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { audiences } from '../../../src/streams/access/audience.ts'
import type { Choice } from '../../support/legal-streams/agent.ts'
import { play } from '../../support/legal-streams/play.ts'
import { runs } from '../../support/runs.ts'

/** A stream in which every choice of the agent writes a text of its own, so that a text tells where it is from. */
const markedStreams: fc.Arbitrary<ContextAnyEvent[]> = fc
  .tuple(
    fc.array(fc.record({ move: fc.nat(999), task: fc.nat(9), number: fc.nat(60), flag: fc.boolean() }), {
      minLength: 1,
      maxLength: 30,
    }),
    fc.boolean(),
  )
  .map(([choices, ended]) => {
    const marked = choices.map((choice, i): Choice => {
      const json = { k: `<j${i}>` } as unknown as Choice['json']
      return { ...choice, text: `<t${i}>`, json, bytes: new TextEncoder().encode(`<b${i}>`) }
    })
    return play(marked, marked[0] as Choice, { ended })
  })

const label = fc.option(fc.subarray([...audiences]), { freq: 2, nil: undefined })

/** The id of what an event is about: all events of one item have the same. */
function itemOf(event: ContextAnyEvent): string {
  const ids = ['thoughtId', 'toolCallId', 'inputId', 'authId', 'artifactId', 'contentId'] as const
  const fields = event as unknown as Readonly<Record<string, unknown>>
  return `${event.taskId} ${ids.map((id) => fields[id]).join()} ${event.kind.split('-')[0]}`
}

/** The events with audience labels: one for each item, or one for each event. */
const labelled = fc
  .tuple(markedStreams, fc.array(label, { minLength: 1, maxLength: 9 }), fc.boolean(), fc.boolean())
  .map(([events, labels, byItem, isSparse]) => {
    const items = new Map<string, number>()
    return events.map(({ parentTaskId, ...event }, i): ContextAnyEvent => {
      const item = itemOf(event as ContextAnyEvent)
      const at = byItem ? (items.get(item) ?? items.size) : i
      items.set(item, at)
      const audience = labels[at % labels.length]
      const { metadata } = event as { metadata?: object }
      const isStated = parentTaskId !== undefined && (!isSparse || event.kind === 'task-created')
      return {
        ...event,
        ...(isStated && { parentTaskId }),
        ...(audience !== undefined && { metadata: { ...metadata, audience } }),
      } as unknown as ContextAnyEvent
    })
  })

const taskId = fc.constantFrom('a', 'b', 'c')

/** Thoughts and arguments of tasks whose relations may be missing, contradictory or a circle. */
const tangled = fc
  .array(
    fc.record({
      kind: fc.constantFrom('thought-stream', 'thought-delta', 'tool-arguments-delta', 'subtask-created'),
      taskId,
      parentTaskId: fc.option(taskId, { nil: undefined }),
      subtaskId: taskId,
    }),
    { maxLength: 12 },
  )
  .map((parts) =>
    parts.map(({ kind, taskId, parentTaskId, subtaskId }, i): ContextAnyEvent => {
      const thought = { thoughtId: `x${i}`, thoughtType: 'planning', verbosity: 'brief', index: 0 }
      const fields: Readonly<Record<string, object>> = {
        'thought-stream': { ...thought, content: `<t${i}>` },
        'thought-delta': { ...thought, delta: `<t${i}>` },
        'tool-arguments-delta': { toolCallId: `y${i}`, toolName: 'z', index: 0, delta: `{"k":"<t${i}>"}` },
        'subtask-created': { subtaskId, prompt: '' },
      }
      return {
        kind,
        contextId: 'ctx-1',
        taskId,
        ...(parentTaskId !== undefined && { parentTaskId }),
        ...fields[kind],
        timestamp: '2026-01-31T10:30:00Z',
      } as unknown as ContextAnyEvent
    }),
  )

const viewer: fc.Arbitrary<Viewer> = fc.record(
  { audience: fc.constantFrom(...audiences), subtasks: fc.constant('all' as const) },
  { requiredKeys: ['audience'] },
)

/** The marks in anything that can be written as JSON, or in a text. */
function marksIn(...values: readonly unknown[]): string[] {
  return [...new Set(JSON.stringify(values).match(/<[a-z]\d+>/g))]
}

const closing = { reason: 'The agent crashed.', at: '2030-01-01T00:00:00Z' }

/** A log with the events, and what a router delivered of them. */
async function published(events: readonly ContextAnyEvent[], viewer: Viewer, limits?: { maxEvents: number }) {
  const stream = createStream({ stream: 's', epoch: 'e', now: () => 0, ...(limits && { limits }) })
  const router = createRouter()
  const delivered: ContextAnyEvent[] = []
  router.subscribe('**', { viewer }, (event) => delivered.push(event))
  for (const event of events) {
    await stream.append(event)
    router.route(event)
  }
  return { stream, delivered }
}

/** The events of a stream as the viewer may see them: what {@link project} shows of what the log holds. */
async function visibleOf(events: readonly ContextAnyEvent[], viewer: Viewer): Promise<ContextAnyEvent[]> {
  const { stream } = await published(events, viewer)
  const batch = await stream.log.read(undefined, { maxBytes: 2 ** 30 })
  if (batch.type !== 'batch') expect.fail(batch.reason)
  return batch.events.flatMap((event) => project(event, viewer) ?? [])
}

/** What a viewer may know: the visible events, and what they fold to, as a mark may be cut in two deltas. */
async function knownTo(viewer: Viewer, events: readonly ContextAnyEvent[]): Promise<Set<string>> {
  const visible = await visibleOf(events, viewer)
  return new Set(marksIn(visible, foldEvents(emptyView, visible)))
}

const law = (
  name: string,
  outputOf: (events: readonly ContextAnyEvent[], viewer: Viewer) => unknown,
  count = 200,
): void => {
  it(name, async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(labelled, tangled), viewer, async (events, viewer) => {
        const known = await knownTo(viewer, events)
        const output = await outputOf(events, viewer)
        expect(marksIn(output).filter((mark) => !known.has(mark))).toEqual([])
      }),
      { numRuns: runs(count) },
    )
  })
}

const viewOf = async (events: readonly ContextAnyEvent[]) =>
  (await published(events, { audience: 'user' })).stream.view()

describe('a viewer gets nothing that project hides from it', () => {
  law('from a log, live and compacted', async (events, viewer) => {
    const { stream, delivered } = await published(events, viewer)
    const batch = await stream.log.read(undefined, { filter: readFilter(viewer) })
    return [batch, delivered, batch.type === 'batch' && compact(batch.events)]
  })

  law('from the view of its events, and its snapshot', async (events, viewer) => {
    const view = foldEvents(emptyView, await visibleOf(events, viewer))
    return [view, snapshotEvents(view)]
  })

  law('from the events of closeDangling', async (events, viewer) => {
    const view = await viewOf(events)
    return closeDangling(view, closing).map((event) => project(event, viewer))
  })

  law('from a log and a router that got the events of closeDangling', async (events, viewer) => {
    const closed = [...events, ...closeDangling(await viewOf(events), closing)]
    const { stream, delivered } = await published(closed, viewer)
    return [delivered, await stream.log.read(undefined, { filter: readFilter(viewer) })]
  })

  law('from a snapshot', async (events, viewer) => {
    const shown = snapshotEvents(await viewOf(events)).flatMap((event) => project(event, viewer) ?? [])
    return [shown, foldEvents(emptyView, shown)]
  })

  law(
    'from the body of a response: live, resumed, and after a reset',
    async (events, viewer) => {
      const { stream } = await published(events, viewer)
      const small = await published(events, viewer, { maxEvents: 3 })
      const bodies: string[] = []
      for (const [from, lastEventId] of [
        [stream, undefined],
        [
          stream,
          formatEventId({ stream: 's', epoch: 'e', seq: events.length >> 1, filter: readFilter(viewer).id }),
        ],
        [stream, formatEventId({ stream: 's', epoch: 'other', seq: 0 })],
        [small.stream, undefined],
      ] as const) {
        await from.close()
        const { body } = from.respond(lastEventId, { viewer })
        bodies.push(await new Response(body).text())
      }
      return bodies
    },
    100,
  )

  law(
    'from watchStream',
    async (events, viewer) => {
      const { stream } = await published(events, viewer, { maxEvents: 5 })
      await stream.close()
      const items: unknown[] = []
      const connect = (lastEventId: string | undefined) => {
        const { status, headers, body } = stream.respond(lastEventId, { viewer })
        return new Response(body, { status, headers })
      }
      for await (const item of watchStream(connect)) items.push(item)
      return items
    },
    100,
  )

  const mappers = {
    'toA2a 0.3': () => toA2a({ version: '0.3', extension: true }),
    'toA2a 1.0': () => toA2a({ version: '1.0', extension: true, closeText: 'snapshot' }),
    toFrames: () => toFrames({ version: 'v2', sessionId: 's', newId: () => 'id' }),
    toAgentEvents: () => toAgentEvents(),
    toSessionEvents: () => toSessionEvents(),
  }
  for (const [name, create] of Object.entries(mappers)) {
    law(`from ${name} over its events and those that close them`, async (events, viewer) => {
      const closed = [...events, ...closeDangling(await viewOf(events), closing)]
      const diagnostics: unknown[] = []
      const { push, end } = run(create() as ReturnType<typeof toAgentEvents>, {
        onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      })
      const visible = await visibleOf(closed, viewer)
      return [visible.flatMap((event) => push(event)), end(), diagnostics]
    })
  }
})
