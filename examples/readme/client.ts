import { readEvents } from 'agentwire'

/** Shows an answer as it streams. Resolves to how the task ended; throws if it or the request failed, or was cut off. */
export async function chat(
  url: string,
  show: (text: string, type: 'answer' | 'thought') => void,
  signal?: AbortSignal,
): Promise<'completed' | 'canceled'> {
  const response = await fetch(url, { signal: signal ?? null })
  let outcome: 'completed' | 'canceled' | undefined
  const onInvalid = ({ issues }: { issues: unknown }): void => console.warn('Invalid event:', issues)
  for await (const event of readEvents(response, { onInvalid })) {
    if (event.parentTaskId !== undefined) continue // The text and the end of a subtask are not those of the task.
    switch (event.kind) {
      case 'content-delta':
        show(event.delta, 'answer')
        break
      case 'thought-stream':
        show(event.content, 'thought')
        break
      case 'task-status':
        if (event.status === 'failed') throw new Error(event.error?.message ?? 'The task failed.')
        if (event.status === 'completed' || event.status === 'canceled') outcome = event.status
        break
      default: // Other kinds, and those of later versions, need no handling.
    }
  }
  if (outcome === undefined) throw new Error('The connection ended before the task did.')
  return outcome
}
