import { type ContextAnyEvent, createEmitter } from 'turnstream'
import type { View } from 'turnstream/streams'

/** On the server: the events of one user message. All messages of a conversation have the same `contextId`. */
export function* answer(
  message: { contextId: string; taskId: string; text: string },
  model: (text: string) => Iterable<string>,
): Generator<ContextAnyEvent> {
  const { contextId, taskId, text } = message
  const { emit } = createEmitter({ contextId, taskId })
  yield emit({ kind: 'task-created', initiator: 'user', metadata: { input: text } })
  let content = ''
  for (const delta of model(text)) {
    content += delta
    yield emit({ kind: 'content-delta', delta })
  }
  yield emit({ kind: 'content-complete', content })
  yield emit({ kind: 'task-status', status: 'completed' })
}

export interface Message {
  readonly role: 'user' | 'agent'
  readonly text: string
}

/** In the interface: the conversation as a list of messages. */
export function messagesOf(view: View): Message[] {
  const turns = view.tasks.filter(({ initiator }) => initiator === 'user')
  return turns.flatMap(({ input, parts }): Message[] => {
    const question = typeof input === 'string' ? input : JSON.stringify(input)
    // A text that was interrupted has several parts.
    const texts = new Map<number, string>()
    for (const part of parts) {
      if (part.type === 'text') texts.set(part.segment, (texts.get(part.segment) ?? '') + part.text)
    }
    return [
      ...(question === undefined ? [] : [{ role: 'user' as const, text: question }]),
      ...[...texts.values()].map((text) => ({ role: 'agent' as const, text })),
    ]
  })
}
