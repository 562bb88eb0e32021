/** How sessions have texts, thoughts and calls. */

import type { AnyEvent, ContextAnyEvent } from '../../../events/event.ts'
import { endedItem, openItem } from '../../engine/item.ts'
import type { ItemFormat, ItemFormats } from '../../engine/write-item.ts'
import type { SessionWriter } from './session-writer.ts'
import { type EventFields, type Template, templates } from './templates.ts'

const text: ItemFormat<SessionWriter, 'text'> = {
  id(writer, event) {
    const { contentId: key = '' } = event
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
    writer.state.text = event.content
    writer.send(templateOf(id === '' ? event : { ...event, contentId: id }))
  },
}

const thought: ItemFormat<SessionWriter, 'thought'> = {
  closesWithWhole: true,
  close(writer, _, event) {
    const { nextThought } = writer.state
    const template = templateOf(event)
    const { index, ...preserved } = template.preserved as { readonly index: number }
    // Readers count thoughts.
    writer.send(index === nextThought ? { ...template, preserved } : template)
    writer.state.nextThought = index + 1
  },
}

export const formats: ItemFormats<SessionWriter> = {
  text,
  thought,
  call: {
    closesWithWhole: true,
    namesResults: true,
    close: (writer, _, event) => writer.send(templateOf(event)),
  },
}

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
