/** The basic rules of every stream of core events, checked by counting. */
import { type ContextAnyEvent, decodeEvent } from '../../../src/index.ts'

/** The errors in a stream of core events, if any. */
export function errorsIn(events: readonly ContextAnyEvent[]): string[] {
  const errors: string[] = []
  const tasks = new Map<
    string,
    { ended?: string; complete?: true; texts: Map<string, string[]>; thoughts: number }
  >()
  const tools = new Map<string, { taskId: string; open: boolean }>()
  for (const [i, event] of events.entries()) {
    const report = (what: string): number => errors.push(`${i} ${event.kind}: ${what}`)
    if (decodeEvent(event).status !== 'known') report('is not a known event')
    if (event.kind === 'task-created') {
      if (tasks.has(event.taskId)) report('created twice')
      tasks.set(event.taskId, { texts: new Map(), thoughts: 0 })
    }
    const task = tasks.get(event.taskId)
    if (task === undefined) {
      report('before task-created')
      continue
    }
    if (task.ended !== undefined && event.kind !== 'task-complete' && event.kind !== 'task-status')
      report('after the end')
    switch (event.kind) {
      case 'content-delta': {
        const deltas = task.texts.get(event.contentId ?? '') ?? []
        if (event.index !== deltas.length) report(`index ${event.index}`)
        task.texts.set(event.contentId ?? '', [...deltas, event.delta])
        break
      }
      case 'content-complete': {
        const deltas = task.texts.get(event.contentId ?? '')
        if (deltas !== undefined && event.content !== deltas.join('')) report('differs from its deltas')
        task.texts.delete(event.contentId ?? '')
        break
      }
      case 'thought-stream':
        if (event.index !== task.thoughts++) report(`index ${event.index}`)
        break
      case 'tool-start':
        if (tools.has(callKey(event))) report('started twice')
        tools.set(callKey(event), { taskId: event.taskId, open: true })
        break
      case 'tool-progress':
      case 'tool-complete': {
        const tool = tools.get(callKey(event))
        if (tool?.open !== true || tool.taskId !== event.taskId) report('is of no open call')
        if (tool !== undefined && event.kind === 'tool-complete') tool.open = false
        break
      }
      case 'task-complete':
        if (task.complete || (task.ended ?? 'completed') !== 'completed') report('is out of place')
        task.complete = true
        task.ended = 'completed'
        break
      case 'task-status': {
        const isEnd = ['completed', 'failed', 'canceled'].includes(event.status)
        const repeats = event.status === 'completed' && task.complete === true
        if (task.ended !== undefined && !repeats) report('after the end')
        if (isEnd) task.ended = event.status
        if (event.status === 'completed' && task.texts.size > 0) report('with an open segment')
        if (
          event.status === 'completed' &&
          [...tools.values()].some((t) => t.open && t.taskId === event.taskId)
        ) {
          report('with an open call')
        }
      }
    }
  }
  return errors
}

/** Ids of calls are unique in their context. */
function callKey({ contextId, toolCallId }: { contextId: string; toolCallId: string }): string {
  return `${contextId} ${toolCallId}`
}
