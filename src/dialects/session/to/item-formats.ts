/** How sessions have texts, thoughts and calls. */

import type { AnyEvent, ContextAnyEvent } from '../../../events/event.ts'
import { endedItem, openItem } from '../../engine/item.ts'
import type { ItemFormat, ItemFormats } from '../../engine/write-item.ts'
import type { SessionWriter } from './session-writer.ts'
import { type EventFields, type Template, templates } from './templates.ts'

/** Nothing marks where an item begins, or where it was cut off. */
const unmarked = { open() {}, cut() {} }

const text: ItemFormat<SessionWriter> = {
  ...unmarked,
  id(writer, event) {
    const key = 'contentId' in event ? (event.contentId ?? '') : ''
    if (event.kind !== 'content-replace') return key
    // Answers are appended: what replaces a text is one of its own for readers.
    const isKnown =
      (openItem(writer, event, 'text', key) ?? endedItem(writer, event, 'text', key)) !== undefined
    return isKnown ? `${key}-${writer.state.chunks}` : key
  },
  append(writer, { id, phase, next }, content, event) {
    const own = id === '' ? {} : { contentId: id }
    if (event.kind === 'content-delta') {
      const { delta: _, index, indexEnd = index, ...fields } = fieldsOf(event)
      writer.sendPartial(content, { ...fields, ...own, ...(indexEnd > next && { indexEnd }) })
    } else if (event.kind === 'content-replace') {
      const { content: _, ...fields } = fieldsOf(event)
      writer.sendPartial(content, { ...fields, kind: 'content-delta', ...own })
    } else if (phase === 'open') {
      writer.sendPartial(content, { kind: 'content-delta', ...own })
    } else if (writer.state.chunks > 0) {
      // If others were sent in parts, a whole text is a part of the answer as well.
      writer.sendPartial(content, { implied: true })
    }
  },
  close(writer, { id }, event) {
    if (event.kind !== 'content-complete') return
    writer.state.text = event.content
    writer.send(templateOf(id === '' ? event : { ...event, contentId: id }))
  },
}

/** A thought or a call is sent as a whole. */
const whole = { ...unmarked, append() {}, closesWithWhole: true } as const

const thought: ItemFormat<SessionWriter> = {
  ...whole,
  id: (_, event) => ('thoughtId' in event ? event.thoughtId : ''),
  close(writer, _, event) {
    if (event.kind !== 'thought-stream') return
    const { nextThought } = writer.state
    const template = templateOf(event)
    const { index, ...preserved } = template.preserved as { readonly index: number }
    // Readers count thoughts.
    writer.send(index === nextThought ? { ...template, preserved } : template)
    writer.state.nextThought = index + 1
  },
}

const call: ItemFormat<SessionWriter> = {
  ...whole,
  id: (_, event) => ('toolCallId' in event ? event.toolCallId : ''),
  close: (writer, _, event) => writer.send(templateOf(event)),
}

export const formats: ItemFormats<SessionWriter> = { text, thought, call }

/** The fields of an event that its session event does not state by itself. */
export function fieldsOf<E extends ContextAnyEvent>(event: E): EventFields<E> {
  const { contextId: _contextId, taskId: _taskId, timestamp: _timestamp, ...fields } = event
  return fields as unknown as EventFields<E>
}

/** The session event of a core event whose kind has a template. */
export function templateOf(event: ContextAnyEvent): Template {
  const template = templates[event.kind] as (event: EventFields<AnyEvent>) => Template
  return template(fieldsOf(event))
}
