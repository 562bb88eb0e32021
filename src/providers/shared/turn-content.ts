/** Puts the texts, thoughts and arguments of a response in their places. */

import { textOf } from '../../encoding/growing-text.ts'
import { toWellFormed } from '../../encoding/surrogates.ts'
import { argumentsOf } from './calls.ts'
import type { Fields } from './fields.ts'
import { contentOf } from './growing.ts'
import type { CallState, ContentItem, ModelState } from './state.ts'

/**
 * The content of a response in the provider's format. What cannot be sent back is left out: empty texts, thoughts that were
 * cut off, and calls that {@link turnCalls} leaves out.
 */
export function turnContent(state: ModelState): Record<string, unknown>[] {
  return state.contents.flatMap((item) => {
    const block = item.block === null ? undefined : filled(state, item, item.block)
    return block === undefined ? [] : [block]
  })
}

/**
 * The calls of the application's tools: those that the content has. A call without a name, or without room in the content,
 * is in neither, as no result of it can be sent back. Both were reported.
 */
export function turnCalls({ calls, contents }: ModelState): CallState[] {
  const known = new Set(contents.map(({ key, block }) => (block === null ? '' : key)))
  const isMessage = contents.some(({ of }) => of.startsWith('message'))
  return calls.filter(
    ({ key, server, toolName }) => server === '' && toolName !== '' && (isMessage || known.has(key)),
  )
}

function filled(state: ModelState, item: ContentItem, block: Fields): Record<string, unknown> | undefined {
  const { key, of, path, labelPath } = item
  if (of === 'whole') return structuredClone(block)
  if (of === 'part') return withValue(block, path, toWellFormed(textOf(item.text)))
  if (of === 'message') return messageOf(state, path[0], block, toolCallOf)
  if (of === 'message-object') return messageOf(state, path[0], block, objectCallOf)
  if (of === 'text') {
    const text = state.texts.find((one) => one.key === key)
    const content = text === undefined ? '' : contentOf(text.text)
    return content === '' ? undefined : withValue(block, path, content)
  }
  if (of === 'thought') {
    const thought = state.thoughts.find((one) => one.key === key)
    if (thought === undefined || thought.metadata.complete === false || thought.status === 'open')
      return undefined
    const { signature = '' } = thought.metadata
    return withValue(withValue(block, path, contentOf(thought.text)), labelPath, signature)
  }
  const call = state.calls.find((one) => one.key === key)
  if (call === undefined || call.toolName === '') return undefined
  const text = contentOf(call.text)
  const { value = {} } = argumentsOf(text)
  const written = of === 'call' ? value : of === 'call-text' ? text || '{}' : (value.input ?? '')
  // The results of a tool at the provider have its own id.
  return withValue(withValue(block, path, written), call.server === '' ? labelPath : [], call.toolCallId)
}

/** The message of the assistant, for providers whose responses are one. */
function messageOf(
  state: ModelState,
  reasoning: string | undefined,
  block: Fields,
  writeCall: (call: CallState) => object,
): Record<string, unknown> | undefined {
  const text = state.texts.map((one) => contentOf(one.text)).join('')
  const calls = turnCalls(state)
  const thoughts = state.thoughts.filter(
    ({ thoughtType }) => reasoning !== 'tool_plan' || thoughtType === 'planning',
  )
  const thought = reasoning === undefined ? '' : thoughts.map((one) => contentOf(one.text)).join('')
  if (text === '' && calls.length === 0) return undefined
  return {
    ...structuredClone(block),
    content: text,
    ...(thought !== '' && { [reasoning as string]: thought }),
    ...(calls.length > 0 && { tool_calls: calls.map(writeCall) }),
  }
}

function toolCallOf({
  toolCallId: id,
  toolName: name,
  text,
  opening,
  signature,
}: CallState): Record<string, unknown> {
  const { value = {} } = argumentsOf(contentOf(text))
  const isCustom = opening !== ''
  return {
    id,
    type: isCustom ? 'custom' : 'function',
    ...(isCustom
      ? { custom: { name, input: value.input ?? '' } }
      : { function: { name, arguments: contentOf(text) || '{}' } }),
    ...(signature !== '' && { extra_content: { google: { thought_signature: signature } } }),
  }
}

/** As Ollama has calls. */
function objectCallOf({ toolCallId: id, toolName: name, text }: CallState): Record<string, unknown> {
  return { id, function: { name, arguments: argumentsOf(contentOf(text)).value ?? {} } }
}

/** A copy of a block with a value at a path, if there is one. */
function withValue(block: Fields, path: readonly string[], next: unknown): Record<string, unknown> {
  const copy = structuredClone(block) as Record<string, unknown>
  if (path.length === 0) return copy
  let container = copy
  for (const name of path.slice(0, -1)) {
    container[name] ??= {}
    container = container[name] as Record<string, unknown>
  }
  container[path.at(-1) as string] = next
  return copy
}
