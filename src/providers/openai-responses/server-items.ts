/** Items of tools that run at the provider: their arguments, progress and results. */

import { type CallInfo, endCall, openCall } from '../shared/calls.ts'
import { type Fields, fieldsOf, firstText, jsonTextOf, textOf, without } from '../shared/fields.ts'
import { addFile } from '../shared/files.ts'
import { idPrefix, type ModelWriter } from '../shared/model-writer.ts'
import { completeCall, progressCall, startClientCall } from '../shared/server-tools.ts'
import { keyOf } from './parts.ts'
import { itemOf, type ResponsesState } from './state.ts'

type Writer = ModelWriter<ResponsesState>

/** The names of the tools. */
const serverTypes: ReadonlyMap<string, string> = new Map([
  ['web_search_call', 'web_search'],
  ['file_search_call', 'file_search'],
  ['code_interpreter_call', 'code_interpreter'],
  ['image_generation_call', 'image_generation'],
  ['mcp_call', ''],
  ['tool_search_call', 'tool_search'],
])

/** Fields of an item that are not its result. */
const notResult = new Set(
  'id type status call_id name arguments action queries code server_label error execution result caller'.split(
    ' ',
  ),
)

/** Whether the tool of an item runs at the provider. */
export function isServerItem({ type, execution }: Fields): boolean {
  return serverTypes.has(textOf(type)) && execution !== 'client'
}

export function openServerItem(writer: Writer, key: string, item: Fields): void {
  openCall(writer, key, infoOf(item))
  // The arguments of the others are streamed.
  if (
    item.type === 'image_generation_call' ||
    item.type === 'web_search_call' ||
    item.type === 'file_search_call'
  ) {
    endCall(writer, key, argumentsText(item))
  }
}

export function endServerItem(writer: Writer, key: string, item: Fields): void {
  const { type, status, error, output, result } = item
  openIfNeeded(writer, key, item)
  const [toolCallId] = [textOf(item.id)]
  const isFailed = status === 'failed' || status === 'incomplete' || error != null
  if (type === 'image_generation_call' && typeof result === 'string') {
    addFile(writer, {
      artifactId: toolCallId || `${idPrefix(writer)}-${key}`,
      data: result,
      mimeType: `image/${firstText(item.output_format) || 'png'}`,
      ...(toolCallId !== '' && { toolCallId }),
    })
  }
  const message = firstText(error, fieldsOf(error).message) || 'The tool failed.'
  completeCall(
    writer,
    key,
    infoOf(item),
    isFailed
      ? { success: false, error: message }
      : { success: true, result: output ?? without(item, notResult) },
  )
}

/** Ends the arguments of a call that has not started. */
function openIfNeeded(writer: Writer, key: string, item: Fields): void {
  if (writer.state.calls.some((call) => call.key === key && call.status === 'running')) return
  openCall(writer, key, infoOf(item))
  endCall(writer, key, argumentsText(item))
}

/** Reads the end of the arguments. */
export function endServerArguments(writer: Writer, chunk: Fields, text: unknown): void {
  endCall(writer, keyOf(itemOf(writer, chunk).index), typeof text === 'string' ? text : undefined)
}

/** Reads progress, which is named by the last word of the chunk's type. */
export function readProgress(writer: Writer, chunk: Fields): void {
  const stage = textOf(chunk.type).split('.').at(-1) ?? ''
  progressCall(writer, keyOf(itemOf(writer, chunk).index), stage, { step: stage })
}

/** Reads pieces of what a shell at the provider prints. */
export function readShellOutput(writer: Writer, chunk: Fields): void {
  const key = startClientCall(writer, itemOf(writer, chunk).callId)
  for (const [stream, text] of Object.entries(fieldsOf(chunk.delta))) {
    if (textOf(text) !== '') progressCall(writer, key, stream, { stream, chunk: textOf(text) })
  }
}

/** Reads the result of a call that the provider ran after all, such as that of a shell. */
export function readOutput(writer: Writer, { call_id: toolCallId, output, status }: Fields): void {
  const result =
    status === 'failed' || status === 'incomplete'
      ? { success: false, error: 'The tool failed.' }
      : { success: true, result: output ?? null }
  const key = startClientCall(writer, textOf(toolCallId))
  if (key !== '') completeCall(writer, key, {}, result)
}

function infoOf(item: Fields): CallInfo {
  const { type, id, call_id: callId, name, container_id: container } = item
  const toolName = firstText(name, serverTypes.get(textOf(type)))
  const info = {
    toolCallId: firstText(id, callId),
    toolName,
    server: 'provider',
  }
  if (type !== 'code_interpreter_call') return info
  return { ...info, input: typeof container === 'string' ? { container_id: container } : {} }
}

/** The arguments of an item as JSON text; the code of a code interpreter. */
function argumentsText({ type, arguments: text, action, queries, code }: Fields): string {
  if (type === 'code_interpreter_call') return textOf(code)
  if (typeof text === 'string') return text
  if (text == null && action == null && queries == null) return ''
  return jsonTextOf(text ?? action ?? { queries })
}
