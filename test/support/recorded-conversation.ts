// A task that calls tools twice, whose first response is a recorded one.
import { readFileSync } from 'node:fs'
import { readerOf } from '../../examples/readers.ts'
import { type ContextAnyEvent, createEmitter, type EventDraft } from '../../src/index.ts'
import { readBody } from './providers/read-body.ts'

/** The drafts of a recorded response. */
function recorded(provider: string, iteration: number): EventDraft[] {
  const file = ['bedrock', 'ollama'].includes(provider) ? `${provider}.jsonl` : `${provider}.sse`
  const bytes = readFileSync(new URL(`../../examples/recordings/${file}`, import.meta.url))
  return readBody(readerOf(provider, { iteration, calls: 'start' }), [bytes]).drafts
}

/** A task that calls the tools of a response, two more at the same time, and the model again. */
export function conversation(provider: string): ContextAnyEvent[] {
  let iteration = 0
  const { emit } = createEmitter({
    contextId: 'ctx-1',
    taskId: 'task-1',
    now: () => 0,
    iteration: () => iteration,
  })
  const more = ['left', 'right'].map(
    (toolCallId): EventDraft => ({ kind: 'tool-start', toolCallId, toolName: 'look', arguments: {} }),
  )
  const events = [
    emit({ kind: 'task-created', initiator: 'user' }),
    ...[...recorded(provider, 0), ...more].map((draft) => emit(draft)),
  ]
  const started = events.flatMap((event) => (event.kind === 'tool-start' ? [event] : []))
  for (const { toolCallId, toolName } of started) {
    events.push(emit({ kind: 'tool-complete', toolCallId, toolName, success: true, result: toolCallId }))
  }
  iteration = 1
  events.push(
    emit({ kind: 'content-delta', delta: 'One moment.' }),
    emit({ kind: 'content-complete', content: 'One moment.' }),
    emit({ kind: 'tool-start', toolCallId: 'again', toolName: 'look', arguments: {} }),
    emit({ kind: 'tool-complete', toolCallId: 'again', toolName: 'look', success: true, result: 1 }),
  )
  iteration = 2
  return [
    ...events,
    emit({ kind: 'content-complete', content: 'Done.' }),
    emit({ kind: 'task-status', status: 'completed' }),
  ]
}
