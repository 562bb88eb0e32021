/** Requests about the calls of a stream, several of them about the same call. */
import type { ContextAnyEvent } from '../../src/events/event.ts'

/** The events, with each request to approve a call about one of the calls of the stream. */
export function aboutCalls(events: readonly ContextAnyEvent[], picks: readonly number[]): ContextAnyEvent[] {
  const calls = events.flatMap((event) =>
    event.kind === 'tool-start' || event.kind === 'tool-arguments-delta'
      ? [[event.taskId, event.toolCallId, event.toolName] as const]
      : [],
  )
  const inputs = new Map(
    events.flatMap((event) => (event.kind === 'tool-start' ? [[event.toolCallId, event.arguments]] : [])),
  )
  let count = 0
  return events.map((event) => {
    const own = calls.filter(([taskId]) => taskId === event.taskId)
    if (event.kind !== 'input-required' || own.length === 0) return event
    const pick = picks[count++ % picks.length] ?? 0
    const [, id = '', name = ''] = own[pick % own.length] ?? []
    if (pick % 4 === 0 || (event.inputType !== 'tool-execution' && event.inputType !== 'confirmation'))
      return event
    const text = JSON.stringify(inputs.get(id) ?? {})
    const toolCall = { id, function: { name, arguments: text } }
    return { ...event, metadata: { ...event.metadata, toolCall } } as ContextAnyEvent
  })
}
