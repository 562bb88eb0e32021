// A log, a router and project show every viewer the same, also where only task-created states the parent.

import fc from 'fast-check'
import { type ContextAnyEvent, eventKinds } from 'turnstream'
import {
  audienceOf,
  createMemoryLog,
  createRouter,
  project,
  readFilter,
  type Viewer,
} from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { contextEventSchemas } from '../../../src/events/records/schemas.ts'
import { createTaskTree } from '../../../src/streams/access/task-tree.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { accepted } from '../../support/zod-arbitrary.ts'
import { viewers } from './viewers.ts'

/** A stream as producers write it that state the parent of a task only in its first event. */
const sparse = legalStreams().map((events) =>
  events.map(({ parentTaskId, ...event }) => {
    return (event.kind === 'task-created' && parentTaskId !== undefined
      ? { ...event, parentTaskId }
      : event) as unknown as ContextAnyEvent
  }),
)

const id = fc.constantFrom('a', 'b', 'c', '__proto__')
const related = fc
  .tuple(
    fc.constantFrom(...eventKinds).chain((kind) => accepted(contextEventSchemas[kind])),
    fc.record({ contextId: fc.constantFrom('c1', 'c2'), taskId: id }),
    fc.option(id, { nil: undefined }),
    id,
    fc.option(fc.subarray(['user', 'parent', 'observer', 'operator']), { nil: undefined }),
  )
  .map(([event, ids, parentTaskId, subtaskId, audience]) => {
    const { parentTaskId: _, ...rest } = event as ContextAnyEvent
    return {
      ...rest,
      ...ids,
      ...(parentTaskId !== undefined && { parentTaskId }),
      ...(rest.kind === 'subtask-created' && { subtaskId }),
      ...(audience !== undefined && { metadata: { audience } }),
    } as unknown as ContextAnyEvent
  })
const anyStream = fc.array(related, { maxLength: 12 })

/** What a viewer gets of a stream from a log, from a router, and from project. */
async function shown(events: readonly ContextAnyEvent[], viewer: Viewer) {
  const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
  const router = createRouter()
  const routed: ContextAnyEvent[] = []
  router.subscribe('**', { viewer }, (event) => routed.push(event))
  const tree = createTaskTree()
  const projected: ContextAnyEvent[] = []
  for (const event of events) {
    router.route(event)
    const stamped = tree.stamp(event)
    await log.append(event)
    const visible = project(stamped, viewer)
    if (visible !== undefined) projected.push(visible)
    if (!audienceOf(stamped).includes(viewer.audience) && viewer.subtasks !== 'all')
      expect(visible).toBeUndefined()
  }
  const batch = await log.read(undefined, { filter: readFilter(viewer) })
  return { logged: batch.type === 'batch' ? batch.events : expect.fail(batch.reason), routed, projected }
}

describe('log, router and project', () => {
  it('agree on every event of every stream, for every viewer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(sparse, anyStream), viewers, async (events, viewer) => {
        const { logged, routed, projected } = await shown(events, viewer)
        expect(routed).toEqual(projected)
        expect(logged).toEqual(projected)
      }),
      { numRuns: runs(400) },
    )
  })

  it('show of a sparse stream what they show of one that states the parent in every event', async () => {
    await fc.assert(
      fc.asyncProperty(legalStreams(), viewers, async (events, viewer) => {
        const bare = events.map(({ parentTaskId, ...event }) => {
          return (event.kind === 'task-created' && parentTaskId !== undefined
            ? { ...event, parentTaskId }
            : event) as unknown as ContextAnyEvent
        })
        expect(await shown(bare, viewer)).toEqual(await shown(events, viewer))
      }),
      { numRuns: runs(200) },
    )
  })
})
