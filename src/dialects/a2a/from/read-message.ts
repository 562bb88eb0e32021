/** Reading messages of the agent: their text, and the outputs in their other parts. */

import { boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import { fingerprintOf } from '../../../encoding/text-hash.ts'
import type { Message, Part } from '../wire/model.ts'
import type { TaskEventWriter } from './event-writer.ts'
import { readArtifactParts } from './read-artifact.ts'
import { jsonOf } from './slot.ts'
import { partId } from './state.ts'

/** Whether a message was received: one with its id and the same content. */
export function isKnownMessage({ state }: TaskEventWriter, message: Message): boolean {
  return boundedGet(state.messages, message.messageId) === hashOf(message)
}

/** Stores a message. Returns whether it is new. */
export function isNewMessage(writer: TaskEventWriter, message: Message | undefined): boolean {
  if (message === undefined || isKnownMessage(writer, message)) return false
  writer.state.messages = writer.store(writer.state.messages, message.messageId, hashOf(message))
  return true
}

/** Servers send the members of an object in any order. */
function hashOf({ parts, metadata, extensions, referenceTaskIds }: Message): string {
  const json = jsonOf([parts, metadata, extensions, referenceTaskIds])
  return fingerprintOf(json.split(/[,{}]/).sort().join())
}

/** The texts of a message, one per line; `undefined` if it has none. */
export function textOf(message: Message | undefined): string | undefined {
  const texts = (message?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length > 0 ? texts.join('\n') : undefined
}

/**
 * Reads the parts of a message that are no text, each as an artifact of its own.
 *
 * @param except - A part that is read otherwise.
 */
export function readParts(writer: TaskEventWriter, message: Message | undefined, except?: Part): void {
  for (const [i, part] of (message?.parts ?? []).entries()) {
    if (part.type === 'text' || part === except) continue
    const artifact = { artifactId: partId(message?.messageId ?? 'message', i + 1), parts: [part] }
    readArtifactParts(writer, artifact, { append: false, last: true })
  }
}
