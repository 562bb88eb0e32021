/** What LangGraph streams: the mode and the value of each item. */

import { type Fields, fieldsOf, isFields, textOf } from '../../providers/shared/fields.ts'

/** The modes, as `graph.stream` and servers of LangGraph name them. */
const modes: ReadonlySet<string> = new Set([
  ...['messages', 'updates', 'values', 'custom', 'tasks', 'checkpoints', 'debug', 'tools'],
  ...['error', 'metadata', 'end', 'events', 'feedback'],
])

/** Modes that state nothing that happened in the task. */
export const silentModes: ReadonlySet<string> = new Set(['metadata', 'end'])

/**
 * The mode and the value of an item: of `[…, mode, value]`, of `[message, metadata]`, which the mode `messages` yields alone, or of the
 * `{ event, data }` of a server. `undefined`: it is something else.
 */
export function itemOf(item: unknown): readonly [mode: string, value: unknown] | undefined {
  if (Array.isArray(item)) {
    const [mode, value] = item.slice(-2)
    if (typeof mode === 'string') return [mode, value]
    const isMessage = item.length === 2 && isFields(mode) && fieldsOf(value).langgraph_node != null
    return isMessage ? ['messages', item] : undefined
  }
  const { event, data } = fieldsOf(item)
  // With the namespace of a subgraph behind it.
  const [mode = ''] = textOf(event).split('|')
  return modes.has(mode) ? [mode, data] : undefined
}

/** The messages that the nodes of an update have written, and where. */
export function messagesIn(update: Fields): { readonly message: Fields; readonly metadata: Fields }[] {
  return Object.entries(update).flatMap(([node, written]) => {
    const { messages } = fieldsOf(written)
    const list = Array.isArray(messages) ? messages : [messages]
    const metadata = { langgraph_node: node, langgraph_checkpoint_ns: node }
    return list.filter(isFields).map((message) => ({ message, metadata }))
  })
}
