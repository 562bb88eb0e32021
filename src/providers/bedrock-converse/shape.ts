/** The types of the fields of ConverseStream that are read. */

import { all, bytes, failure, list, number, object, type Shape, text } from '../shared/shape.ts'

const passage = object(all(number, 'start end documentIndex searchResultIndex'))

const location = object({
  web: object({ url: text }),
  ...all(passage, 'documentChar documentPage documentChunk searchResultLocation'),
})

const citation = object({
  ...all(text, 'title source'),
  sourceContent: list(object({ text })),
  location,
})

const contentBlockIndex = number

const start = object({
  toolUse: object(all(text, 'toolUseId name type')),
  toolResult: object(all(text, 'toolUseId type status')),
  image: object({ format: text }),
})

const delta = object({
  text,
  toolUse: object({ input: text }),
  reasoningContent: object({ ...all(text, 'text signature'), redactedContent: bytes }),
  citation,
  image: object({ source: object({ bytes }) }),
  toolResult: list(object({ text })),
})

const exception = object({ ...all(text, 'message originalMessage'), originalStatusCode: number })

export const chunkShape: Shape = object({
  messageStart: object(),
  contentBlockStart: object({ contentBlockIndex, start }),
  contentBlockDelta: object({ contentBlockIndex, delta }),
  contentBlockStop: object({ contentBlockIndex }),
  messageStop: object({ stopReason: text, additionalModelResponseFields: object() }),
  metadata: object({ usage: object() }),
  ...all(exception, 'internalServerException modelStreamErrorException serviceUnavailableException'),
  ...all(exception, 'throttlingException validationException'),
  error: failure,
})
