/** A message that is not streamed. */

import { type Fields, fieldsOf, isFields, jsonTextOf, objectsOf, textOf } from '../shared/fields.ts'

/** The chunks that a stream would have; `undefined` of anything but the output of Converse. */
export function chunksOfWhole({ output, stopReason, usage, metrics, trace }: Fields): Fields[] | undefined {
  const { message } = fieldsOf(output)
  if (!isFields(message)) return undefined
  const { role, content } = message
  return [
    { messageStart: { role } },
    ...objectsOf(content).flatMap((block, contentBlockIndex) => [
      ...piecesOf(block).map(([name, value]) => ({
        [name]: { contentBlockIndex, [name === 'contentBlockStart' ? 'start' : 'delta']: value },
      })),
      { contentBlockStop: { contentBlockIndex } },
    ]),
    { messageStop: { stopReason } },
    { metadata: { usage, metrics, trace } },
  ]
}

type Piece = readonly [name: 'contentBlockStart' | 'contentBlockDelta', value: Fields]

const delta = (value: Fields): Piece => ['contentBlockDelta', value]

function piecesOf(block: Fields): readonly Piece[] {
  const { toolUse, toolResult, reasoningContent, citationsContent, ...rest } = block
  if (isFields(toolUse)) {
    return [
      ['contentBlockStart', { toolUse: { ...toolUse, input: undefined } }],
      delta({ toolUse: { input: jsonTextOf(toolUse.input) } }),
    ]
  }
  if (isFields(toolResult)) {
    const { content, ...start } = toolResult
    return [['contentBlockStart', { toolResult: start }], delta({ toolResult: content })]
  }
  if (isFields(reasoningContent)) {
    const { reasoningText, ...redacted } = reasoningContent
    return [delta({ reasoningContent: { ...fieldsOf(reasoningText), ...redacted } })]
  }
  if (isFields(citationsContent)) {
    const { content, citations } = citationsContent
    const text = objectsOf(content).map((part) => textOf(part.text))
    return [delta({ text: text.join('') }), ...objectsOf(citations).map((citation) => delta({ citation }))]
  }
  return [delta(rest)]
}
