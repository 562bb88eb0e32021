/** The parts of an answer. */

import { addArguments, endCall, openCall } from '../shared/calls.ts'
import { addContent, growContent, whole } from '../shared/content.ts'
import { type Fields, fieldsOf, firstText, isFields, jsonTextOf, textOf } from '../shared/fields.ts'
import { addFile } from '../shared/files.ts'
import { idPrefix, type ModelWriter } from '../shared/model-writer.ts'
import { reportDropped, reportFields } from '../shared/report.ts'
import { completeCall, type ServerResult } from '../shared/server-tools.ts'
import { addText } from '../shared/texts.ts'
import { addThought, describeThought, endThought } from '../shared/thoughts.ts'
import { readFunctionCall } from './read-function-call.ts'
import { type GeminiState, TEXT, THOUGHT } from './state.ts'

type Writer = ModelWriter<GeminiState>

const CODE = 'code_execution'

const partFields = new Set(
  'text thought thoughtSignature functionCall executableCode codeExecutionResult toolCall toolResponse inlineData fileData functionResponse audioTranscription videoMetadata partMetadata mediaResolution mediaProcessing speechMetadata'.split(
    ' ',
  ),
)

export function readPart(writer: Writer, part: Fields): void {
  reportFields(writer, part, partFields, '/candidates/0/content/parts')
  const { text, thought, functionCall, inlineData } = part
  const signature = textOf(part.thoughtSignature)
  if (functionCall == null) keepPart(writer, part)
  if (thought === true) {
    readThought(writer, textOf(text), signature)
    if (inlineData != null) reportDropped(writer, 'thought-image', 'An image in a thought has no equivalent.')
    return
  }
  // A signature belongs to the call it stands with, or else to the thought before it.
  if (functionCall == null && signature !== '') describeThought(writer, THOUGHT, { signature })
  endThought(writer, THOUGHT)
  if (isFields(functionCall)) {
    readFunctionCall(writer, functionCall, signature)
    return
  }
  const isText = typeof text === 'string'
  if (isText && text !== '') addText(writer, TEXT, text)
  readServerTool(writer, part)
  if (isFields(inlineData)) readFile(writer, inlineData)
  for (const name of ['fileData', 'functionResponse', 'audioTranscription']) {
    if (part[name] != null) reportDropped(writer, name, `A part with ${name} has no equivalent.`)
  }
}

/** Keeps a part as it is sent back. Pieces of a text are one part, unless a signature belongs to one of them. */
function keepPart(writer: Writer, part: Fields): void {
  const { text, thought, thoughtSignature: signature } = part
  const { contents } = writer.state
  if (Object.keys(part).length === 0 || (text === '' && signature === undefined)) return
  const last = contents.at(-1)
  const isPiece = typeof text === 'string' && signature === undefined
  if (isPiece && last?.of === 'part' && last.block?.thought === thought) growContent(writer, text)
  else if (!isPiece) addContent(writer, `part ${contents.length}`, whole, part)
  else {
    const place = { of: 'part', path: ['text'], labelPath: [] } as const
    addContent(writer, `part ${contents.length}`, place, { ...(thought !== undefined && { thought }) })
    if (writer.state.contents !== contents) growContent(writer, text)
  }
}

function readThought(writer: Writer, text: string, signature: string): void {
  addThought(writer, THOUGHT, text)
  if (signature !== '') describeThought(writer, THOUGHT, { signature })
}

/** Code that ran at the provider, and tools such as Google Search. */
function readServerTool(writer: Writer, part: Fields): void {
  const { executableCode: code, codeExecutionResult: output, toolCall: call, toolResponse: response } = part
  if (isFields(code)) start(writer, CODE, textOf(code.id), { language: code.language, code: code.code })
  if (isFields(call)) start(writer, toolNameOf(call), textOf(call.id), fieldsOf(call.args))
  if (isFields(output)) {
    const { outcome } = output
    const isFailed = typeof outcome === 'string' && outcome !== 'OUTCOME_OK'
    const error = firstText(output.output, outcome) || 'The code failed.'
    const result = { outcome: outcome ?? null, output: output.output ?? '' }
    end(writer, CODE, textOf(output.id), isFailed ? { success: false, error } : { success: true, result })
  }
  if (isFields(response)) {
    const result = { success: true, result: response.response ?? null }
    end(writer, toolNameOf(response), textOf(response.id), result)
  }
}

function toolNameOf({ toolType }: Fields): string {
  return textOf(toolType).toLowerCase() || 'tool'
}

function start(writer: Writer, toolName: string, toolCallId: string, args: Fields): void {
  const key = nextKey(writer)
  openCall(writer, key, { toolCallId, toolName, server: 'provider' })
  addArguments(writer, key, jsonTextOf(args))
  endCall(writer, key)
}

/** Completes the running call with an id; if the result has none, the last one of the tool. */
function end(writer: Writer, toolName: string, toolCallId: string, result: ServerResult): void {
  const running = writer.state.calls.filter(
    ({ status, toolName: name }) => status === 'running' && name === toolName,
  )
  const call = running.findLast((other) => other.toolCallId === toolCallId || toolCallId === '')
  if (call !== undefined) completeCall(writer, call.key, {}, result)
  else {
    writer.inferred(
      'tool-start',
      `Expected the call of a result, got none. It is one of the tool ${toolName}.`,
    )
    completeCall(writer, nextKey(writer), { toolCallId, toolName, server: 'provider' }, result)
  }
}

function readFile(writer: Writer, { data, mimeType }: Fields): void {
  const artifactId = `${idPrefix(writer)}-${nextKey(writer).replace(' ', '-')}`
  addFile(writer, { artifactId, data: textOf(data), mimeType: textOf(mimeType) })
}

/** A key that no other call or file of the response has. */
function nextKey(writer: Writer): string {
  const { own } = writer.state
  writer.state.own = { ...own, count: own.count + 1 }
  return `item ${own.count}`
}
