/** The events of a recording as a list for people: deltas of one text are one entry. */

import type { ContextAnyEvent } from '../../events/event.ts'
import { describeEvent } from './describe.ts'
import type { EventPlace } from './inspector.ts'
import { LONG, SHORT, shortened } from './text.ts'

/** One entry of the list. */
export interface TimelineEntry extends Omit<EventPlace, 'timeMs'> {
  /** Milliseconds since the first time of the recording. Omitted if the recording does not state it. */
  readonly atMs?: number
  readonly contextId: string
  readonly taskId: string
  readonly kind: string
  /** How many events it stands for: 1, or the number of deltas. */
  readonly count: number
  /** What they show, cut off. */
  readonly text: string
}

/** Creates entries from events. */
export interface Timeline {
  /** Adds an event. Returns the entries that are complete. */
  push(event: ContextAnyEvent, place: EventPlace): TimelineEntry[]
  /** Returns the last entry, if deltas wait for more. */
  end(): TimelineEntry[]
}

interface Waiting {
  readonly key: string
  readonly first: TimelineEntry
  count: number
  text: string
}

/** Creates a list of entries. `full`: whether texts are kept up to 16 Ki characters, not only their beginning. */
export function timeline({ full = false }: { readonly full?: boolean } = {}): Timeline {
  const longest = full ? LONG : SHORT
  let start: number | undefined
  let waiting: Waiting | undefined

  function taken(): TimelineEntry[] {
    if (waiting === undefined) return []
    const { first, count, text } = waiting
    waiting = undefined
    return [{ ...first, count, text: shortened(text, longest) }]
  }

  return {
    push(event, place) {
      const key = deltaKey(event)
      if (key !== undefined && waiting?.key === key) {
        waiting.count++
        if (waiting.text.length <= 2 * longest) waiting.text += (event as { delta: string }).delta
        return []
      }
      const out = taken()
      const { timeMs: time, ...where } = place
      start ??= time
      const { contextId, taskId, kind } = event
      const text = describeEvent(event, longest)
      const atMs = time === undefined || start === undefined ? undefined : time - start
      const entry: TimelineEntry = {
        ...where,
        ...(atMs !== undefined && { atMs }),
        contextId,
        taskId,
        kind,
        count: 1,
        text,
      }
      if (key === undefined) out.push(entry)
      else waiting = { key, first: entry, count: 1, text: rawText(event) }
      return out
    },
    end: taken,
  }
}

/** What deltas have in common that are shown as one. `undefined` for other events. */
function deltaKey(event: ContextAnyEvent): string | undefined {
  const { kind, contextId, taskId } = event
  switch (kind) {
    case 'content-delta':
      return JSON.stringify([kind, contextId, taskId, event.contentId])
    case 'thought-delta':
      return JSON.stringify([kind, contextId, taskId, event.thoughtId])
    case 'tool-arguments-delta':
      return JSON.stringify([kind, contextId, taskId, event.toolCallId])
    default:
      return undefined
  }
}

function rawText(event: ContextAnyEvent): string {
  const { delta = '' } = event as { delta?: string }
  return event.kind === 'tool-arguments-delta' ? `${event.toolName} ${delta}` : delta
}
