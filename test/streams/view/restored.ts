/** What a snapshot restores of what a viewer sees. */
import type { ContextAnyEvent } from '../../../src/index.ts'
import { project, type TaskView, type View, type Viewer } from '../../../src/streams/index.ts'
import { itemOf } from '../../support/legal-streams/labels.ts'

/** Whether some events of an item are shown to a viewer, and others not. */
export function seesHalves(events: readonly ContextAnyEvent[], viewer: Viewer): boolean {
  const shown = new Map<string, boolean>()
  return events.some((event, position) => {
    if (event.kind === 'custom' && event.transient === true) return false
    const item = itemOf(event, position)
    const isShown = isWhollyShown(event, viewer)
    const before = shown.get(item) ?? isShown
    shown.set(item, isShown)
    return before !== isShown
  })
}

/** Whether a viewer sees an event and, if that asks about a call, which. */
function isWhollyShown(event: ContextAnyEvent, viewer: Viewer): boolean {
  const shown = project(event, viewer)
  const names = (of: ContextAnyEvent): boolean =>
    of.kind === 'input-required' && of.metadata?.toolCall !== undefined
  return shown !== undefined && names(shown) === names(event)
}

/**
 * What a projected snapshot restores. Parts of which the viewer sees only some events, such as tool calls without the
 * deltas of their arguments, stand where they began, not where the viewer would first have seen them.
 */
export function restored({ contextId, tasks, artifacts }: View, isOrdered: boolean): unknown {
  const byId = <T>(items: readonly T[]): unknown[] =>
    items.map((item) => JSON.stringify(item, sortedKeys)).sort()
  return {
    contextId,
    tasks: byId(
      tasks.filter(isNamed).map((task) => ({ ...task, ...partsOf(task, isOrdered), updatedAt: null })),
    ),
    artifacts: byId(artifacts),
  }
}

/** Whether a task has more than events that leave nothing in the view. */
function isNamed({ parts, status, createdAt, prompt }: TaskView): boolean {
  return parts.length > 0 || status !== null || createdAt !== undefined || prompt !== undefined
}

function partsOf({ parts }: TaskView, isOrdered: boolean): { parts: unknown } {
  if (isOrdered) return { parts }
  const texts = new Map<number, string>()
  for (const part of parts) {
    if (part.type === 'text') texts.set(part.segment, (texts.get(part.segment) ?? '') + part.text)
  }
  const others = parts.flatMap((part) => (part.type === 'text' ? [] : [{ ...part, at: '' }]))
  const list = [...others, ...texts.values()].map((part) => JSON.stringify(part, sortedKeys))
  return { parts: list.sort() }
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
