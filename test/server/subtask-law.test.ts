// Proves that no events of one task change whose subtask a running task of another is.

import fc from 'fast-check'
import { type ContextAnyEvent, createEmitter, type EventDraft } from 'turnstream'
import { memoryStore, type Stream } from 'turnstream/server'
import { emptyView, foldEvents } from 'turnstream/streams'
import { expect, it } from 'vitest'
import { runs } from '../support/runs.ts'

const contextId = 'ctx-1'
const emitters = new Map<string, ReturnType<typeof createEmitter>>()
function eventOf(taskId: string, draft: EventDraft, parentTaskId?: string): ContextAnyEvent {
  const emitter = emitters.get(taskId) ?? createEmitter({ contextId, taskId })
  emitters.set(taskId, emitter)
  return { ...emitter.emit(draft), ...(parentTaskId !== undefined && { parentTaskId }) }
}
const begin: EventDraft = { kind: 'task-created', initiator: 'agent' }
const text: EventDraft = { kind: 'content-delta', contentId: 'm', delta: 'a' }
const announce = (subtaskId: string): EventDraft => ({ kind: 'subtask-created', subtaskId, prompt: 'Go.' })

async function open(): Promise<Stream> {
  const stream = (await memoryStore().open('s')) as Stream
  await stream.append(eventOf('task', begin))
  await stream.append(eventOf('task', announce('below')))
  await stream.append(eventOf('below', begin, 'task'))
  return stream
}

async function eventsOf(stream: Stream): Promise<readonly ContextAnyEvent[]> {
  return (await stream.log.read(undefined, { maxBytes: 1e7 })).events ?? []
}

const ids = fc.constantFrom('task', 'below', 'other', 'new-1', 'new-2')
const attack = fc.record({
  by: fc.constantFrom('agent', 'append'),
  taskId: ids,
  parentTaskId: fc.option(ids, { nil: undefined }),
  draft: fc.oneof({ weight: 2, arbitrary: ids.map(announce) }, fc.constantFrom(begin, text)),
})

it('holds for all that the agent of another task yields, and for subtasks that are appended', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(attack, { minLength: 1, maxLength: 12 }), async (attacks) => {
      const stream = await open()
      await stream.run({ contextId, taskId: 'other' }, async function* () {
        for (const { by, taskId, parentTaskId, draft } of attacks) {
          const event = eventOf(taskId, draft, parentTaskId)
          if (by === 'agent') yield event
          else if (draft.kind === 'subtask-created') await stream.append(eventOf('other', draft))
          for (const each of ['task', 'below']) await stream.append(eventOf(each, text))
        }
      })
      const events = await eventsOf(stream)
      const parents = (id: string) => events.filter(({ taskId }) => taskId === id).map((e) => e.parentTaskId)
      expect(new Set(parents('task'))).toEqual(new Set([undefined]))
      expect(new Set(parents('below'))).toEqual(new Set(['task']))
      const { tasks } = foldEvents(emptyView, events)
      const parentOf = (id: string) => tasks.find(({ taskId }) => taskId === id)?.parentTaskId
      expect([parentOf('task'), parentOf('below')]).toEqual([null, 'task'])
      await stream.release()
    }),
    { numRuns: runs(100) },
  )
})
