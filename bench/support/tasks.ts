/** Legal streams of one task. */
import type { ContextAnyEvent } from 'turnstream'
import { makeEvents } from './data.ts'

/** The turns of a conversation as one task, which is complete. */
export function legalTask(count: number): ContextAnyEvent[] {
  const events = makeEvents(count, 'ascii')
  const [first] = events
  if (first === undefined) return []
  const { contextId, taskId, timestamp } = first
  const around = { contextId, taskId, timestamp }
  const created: ContextAnyEvent = { kind: 'task-created', initiator: 'user', ...around }
  const turns = events.filter(({ kind }) => kind !== 'task-status').map((event) => ({ ...event, taskId }))
  const last = turns.map(({ kind }) => kind).lastIndexOf('content-complete')
  let content = ''
  const legal = turns.slice(0, last + 1).map((event) => {
    if (event.kind === 'content-delta' || event.kind === 'thought-delta')
      content = event.index === 0 ? event.delta : content + event.delta
    const isWhole = event.kind === 'content-complete' || event.kind === 'thought-stream'
    return isWhole ? { ...event, content } : event
  })
  const end = legal.at(-1)?.timestamp ?? timestamp
  const working: ContextAnyEvent = { kind: 'task-status', status: 'working', ...around }
  const ended = { ...around, timestamp: end }
  const completed: ContextAnyEvent = { kind: 'task-status', status: 'completed', ...ended }
  return [created, working, ...legal, { kind: 'task-complete', ...ended }, completed]
}
