/** The types of the fields of `streamGenerateContent` that are read. */

import { all, either, failure, flag, list, number, object, type Shape, text } from '../shared/shape.ts'

const call = object({
  ...all(text, 'id name'),
  args: object(),
  partialArgs: list(object({ jsonPath: text, willContinue: flag })),
  willContinue: flag,
})

const part = object({
  ...all(text, 'text thoughtSignature'),
  thought: flag,
  functionCall: call,
  executableCode: object({ id: text }),
  codeExecutionResult: object(all(text, 'id outcome')),
  toolCall: object({ ...all(text, 'id toolType'), args: object() }),
  toolResponse: object(all(text, 'id toolType')),
  inlineData: object(all(text, 'data mimeType')),
})

const range = all(number, 'startIndex endIndex')

const source = object(all(text, 'uri sourceUri title text documentName'))

const citation = object({ ...all(text, 'uri title'), ...range })

const support = object({ segment: object(range), groundingChunkIndices: list(number) })

const candidate = object({
  index: number,
  content: object({ parts: list(part) }),
  ...all(text, 'finishReason finishMessage'),
  groundingMetadata: object({
    groundingChunks: list(object(all(source, 'web maps image retrievedContext'))),
    groundingSupports: list(support),
  }),
  citationMetadata: object(all(list(citation), 'citations citationSources')),
  urlContextMetadata: object({ urlMetadata: list(object(all(text, 'retrievedUrl urlRetrievalStatus'))) }),
})

export const chunkShape: Shape = object({
  candidates: list(candidate),
  promptFeedback: object(all(text, 'blockReason blockReasonMessage')),
  usageMetadata: object(),
  ...all(text, 'modelVersion responseId'),
  error: either(text, object({ ...failure.fields, details: list(object({ retryDelay: text })) })),
})
