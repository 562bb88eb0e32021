/** The types of the fields of Messages that are read. */

import { all, failure, flag, list, number, object, type Shape, text } from '../shared/shape.ts'

const citation = object({
  ...all(text, 'type url source title document_title cited_text file_id'),
  ...all(number, 'document_index start_page_number end_page_number start_block_index end_block_index'),
  ...all(number, 'start_char_index end_char_index'),
})

const block = object({
  ...all(text, 'type text thinking signature data id name tool_use_id'),
  citations: list(citation),
  input: object(),
  is_error: flag,
  source: object(all(text, 'data media_type')),
  to: object({ model: text }),
})

const usage = object({ output_tokens_details: object(), iterations: list(object({ type: text })) })

const end = all(text, 'stop_reason stop_sequence')

const message = { ...all(text, 'id model'), content: list(block), usage, ...end }

/** A chunk, or a message that is not streamed. */
export const chunkShape: Shape = object({
  type: text,
  index: number,
  message: object(message),
  content_block: block,
  delta: object({
    ...all(text, 'type text thinking signature partial_json'),
    citation,
    ...end,
    stop_details: object({ explanation: text }),
  }),
  error: failure,
  ...message,
})
