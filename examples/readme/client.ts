import { isTaskEnd, readEvents } from 'turnstream'

type Show = (text: string, type: 'answer' | 'thought') => void

/** Shows an answer as it streams. Resolves to how the task ended; throws if it failed, or the request did. */
export async function chat(url: string, show: Show, signal?: AbortSignal): Promise<'completed' | 'canceled'> {
  for await (const event of readEvents(await fetch(url, { signal: signal ?? null }), {
    onInvalid: console.warn,
  })) {
    if (event.parentTaskId !== undefined) continue // The text and the end of a subtask are not those of the task.
    if (event.kind === 'content-delta') show(event.delta, 'answer')
    if (event.kind === 'thought-stream') show(event.content, 'thought')
    if (!isTaskEnd(event)) continue
    if (event.kind === 'task-complete') return 'completed'
    if (event.status === 'failed') throw new Error(event.error?.message ?? 'The task failed.')
    return event.status
  }
  throw new Error('The connection ended before the task did.')
}
