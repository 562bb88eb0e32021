/** Audience labels for the events of a stream. */
import type { ContextAnyEvent } from '../../../src/events/event.ts'

/** The item an event is about. Texts with the same id are one item, as are all statuses of a task. */
export function itemOf(event: ContextAnyEvent, position: number): string {
  const { kind, taskId } = event
  if (kind === 'content-delta' || kind === 'content-replace' || kind === 'content-complete')
    return `text ${taskId} ${event.contentId}`
  // What ends or discards others is for everybody who sees them.
  if (kind === 'task-status' || kind === 'task-complete' || kind === 'iteration-reset')
    return `status ${taskId}`
  if (kind === 'task-created') return `created ${taskId}`
  if (kind === 'custom' && event.customId !== undefined) return `custom ${taskId} ${event.customId}`
  if ('thoughtId' in event) return `thought ${event.thoughtId}`
  if ('toolCallId' in event) return `tool ${event.toolCallId}`
  // What asks about a call is shown with it.
  if ('inputId' in event && event.inputId.includes(' ')) return `tool ${event.inputId.split(' ')[1]}`
  if ('inputId' in event) return `input ${event.inputId}`
  if ('authId' in event) return `auth ${event.authId}`
  if ('artifactId' in event) return `artifact ${event.artifactId}`
  return `event ${position}`
}

type Label = readonly string[] | undefined

/**
 * The events with labels: one for each item or, with `byEvent`, one for each event. By item, everybody may see the
 * status of tasks: it also ends what others may not see.
 */
export function withLabels(
  events: readonly ContextAnyEvent[],
  labels: readonly Label[],
  byEvent = false,
): ContextAnyEvent[] {
  const items = new Map<string, number>()
  return events.map((event, position) => {
    const item = byEvent ? `${position}` : itemOf(event, position)
    if (!items.has(item)) items.set(item, items.size)
    const label = labels[(items.get(item) ?? 0) % labels.length]
    const { metadata } = event as { metadata?: object }
    if (label === undefined || (!byEvent && item.startsWith('status '))) return event
    return { ...event, metadata: { ...metadata, audience: [...label] } } as unknown as ContextAnyEvent
  })
}
