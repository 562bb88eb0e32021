/** The basics every stream of core events obeys, checked by counting and nothing else. */
import { type ContextAnyEvent, decodeEvent } from '../../../src/index.ts'

/** What is wrong with a stream; empty when nothing is. */
export function wrongWith(events: readonly ContextAnyEvent[]): string[] {
  const wrong: string[] = []
  const tasks = new Map<string, { ended?: string; complete?: true; deltas: string[]; thoughts: number }>()
  const tools = new Map<string, { taskId: string; open: boolean }>()
  for (const [i, event] of events.entries()) {
    const say = (what: string): number => wrong.push(`${i} ${event.kind}: ${what}`)
    if (decodeEvent(event).status !== 'known') say('no known event')
    if (event.kind === 'task-created') {
      if (tasks.has(event.taskId)) say('created twice')
      tasks.set(event.taskId, { deltas: [], thoughts: 0 })
    }
    const task = tasks.get(event.taskId)
    if (task === undefined) {
      say('before task-created')
      continue
    }
    if (task.ended !== undefined && event.kind !== 'task-complete' && event.kind !== 'task-status')
      say('after the end')
    switch (event.kind) {
      case 'content-delta':
        if (event.index !== task.deltas.length) say(`index ${event.index}`)
        task.deltas.push(event.delta)
        break
      case 'content-complete':
        if (task.deltas.length > 0 && event.content !== task.deltas.join('')) say('is not the deltas')
        task.deltas = []
        break
      case 'thought-stream':
        if (event.index !== task.thoughts++) say(`index ${event.index}`)
        break
      case 'tool-start':
        if (tools.has(event.toolCallId)) say('started twice')
        tools.set(event.toolCallId, { taskId: event.taskId, open: true })
        break
      case 'tool-progress':
      case 'tool-complete': {
        const tool = tools.get(event.toolCallId)
        if (tool?.open !== true || tool.taskId !== event.taskId) say('is of no open call')
        if (tool !== undefined && event.kind === 'tool-complete') tool.open = false
        break
      }
      case 'task-complete':
        if (task.complete || (task.ended ?? 'completed') !== 'completed') say('is out of place')
        task.complete = true
        task.ended = 'completed'
        break
      case 'task-status': {
        const isEnd = ['completed', 'failed', 'canceled'].includes(event.status)
        const repeats = event.status === 'completed' && task.complete === true
        if (task.ended !== undefined && !repeats) say('after the end')
        if (isEnd) task.ended = event.status
        if (event.status === 'completed' && task.deltas.length > 0) say('with an open segment')
        if (
          event.status === 'completed' &&
          [...tools.values()].some((t) => t.open && t.taskId === event.taskId)
        ) {
          say('with an open call')
        }
      }
    }
  }
  return wrong
}
