/** Tasks that wait for an answer, and continue before it comes. */
import type { ContextAnyEvent } from '../events/event.ts'
import type { EventDraft } from './event-draft.ts'

/** What a task that waits does not send. */
const active: ReadonlySet<string> = new Set(['content-delta', 'content-complete', 'tool-start'])

/**
 * Returns what to emit for each draft of a task: a task that waits works again before it sends content or starts a tool. Events of
 * subtasks pass, and a status that states nothing new does not.
 */
export function awake(): <Out extends EventDraft | ContextAnyEvent>(
  draft: Out,
) => (Out | EventDraft<'task-status'>)[] {
  let isWaiting = false
  return (draft) => {
    if ('contextId' in draft) return [draft]
    const isActive = active.has(draft.kind)
    const waits = draft.kind === 'task-status' && draft.status === 'waiting-input'
    if (waits && isWaiting && draft.metadata === undefined) return []
    const resumes = isWaiting && isActive
    if (isActive) isWaiting = false
    else if (draft.kind === 'task-status') isWaiting = waits
    return resumes ? [{ kind: 'task-status', status: 'working' }, draft] : [draft]
  }
}
