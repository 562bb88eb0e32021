/** Reading the extension: embedded events, completed with what the update itself holds. */

import { base64ToText } from '../../../encoding/base64.ts'
import { decodeEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent, EventKind } from '../../../events/event.ts'
import { isInternal } from '../../../events/guards.ts'
import { contentFieldOf, type ExtensionEvent } from '../wire/extension.ts'
import type { TaskEventWriter } from './event-writer.ts'

/**
 * Emits embedded events.
 *
 * @param read - The events read from the update itself.
 */
export function restoreEvents(
  writer: TaskEventWriter,
  embedded: readonly ExtensionEvent[],
  read: readonly ContextAnyEvent[],
): void {
  for (const event of embedded) restoreEvent(writer, event, read)
}

function restoreEvent(
  writer: TaskEventWriter,
  embedded: ExtensionEvent,
  read: readonly ContextAnyEvent[],
): void {
  const { id: taskId, contextId } = writer.state
  const field = contentFieldOf[embedded.kind as EventKind]
  const content =
    field !== undefined && embedded[field] === undefined
      ? { [field]: contentOf(writer, embedded, field, read) }
      : {}
  const { kind, ...fields } = embedded
  const ids = { contextId, taskId }
  // Ids come first for readability, and again last so that a peer cannot replace them.
  const decoded = decodeEvent({ kind, ...ids, ...fields, ...content, ...ids })
  if (decoded.status === 'invalid') {
    writer.invalid(decoded.issues)
    return
  }
  if (decoded.status === 'unknown') {
    writer.dropped(kind, 'unknown-kind', `Dropped an embedded event of unknown kind ${kind}.`)
    return
  }
  const { event } = decoded
  if (isInternal(event)) {
    writer.dropped(kind, 'no-equivalent', `Dropped an embedded ${kind}: peers may not send internal events.`)
    return
  }
  writer.emit(event)
  writer.state.timestamp = event.timestamp
  if (event.kind !== 'file-write') return
  const others = writer.state.textFiles.filter((id) => id !== event.artifactId)
  if (event.complete) writer.state.textFiles = others
  else if (event.index === 0 && event.encoding !== 'base64') {
    writer.state.textFiles = [...others, event.artifactId]
  }
}

/** The value of a field of an embedded event, read from the update. */
function contentOf(
  writer: TaskEventWriter,
  embedded: ExtensionEvent,
  field: string,
  read: readonly ContextAnyEvent[],
): unknown {
  const values = read
    .filter(({ kind }) => kind === embedded.kind)
    .map((event) => (event as unknown as Readonly<Record<string, unknown>>)[field])
  if (embedded.kind === 'content-delta') return values.join('')
  const [value] = values
  const isText = embedded.index === 0 ? embedded.encoding !== 'base64' : isTextFile(writer, embedded)
  return embedded.kind === 'file-write' && isText && typeof value === 'string' ? base64ToText(value) : value
}

function isTextFile(writer: TaskEventWriter, { artifactId }: ExtensionEvent): boolean {
  return writer.state.textFiles.some((id) => id === artifactId)
}
