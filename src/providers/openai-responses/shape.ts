/** The types of the fields of Responses that are read. */

import { type Fields, textOf } from '../shared/fields.ts'
import { all, either, failure, list, number, object, type Shape, text } from '../shared/shape.ts'

const annotation = object({
  ...all(text, 'type url title filename file_id'),
  ...all(number, 'start_index end_index'),
})

const part = object({ ...all(text, 'type text refusal'), annotations: list(annotation) })

const item = object({
  ...all(text, 'type id call_id name status phase encrypted_content code result server_label output_format'),
  ...all(text, 'container_id execution'),
  // Only those of functions are a text.
  arguments: either(text, object()),
  input: text,
  error: either(text, object({ message: text })),
  action: object({ commands: list(text) }),
  operation: object(all(text, 'type path diff')),
  ...all(list(part), 'content summary'),
})

const response = {
  ...all(text, 'id model status'),
  output: list(item),
  usage: object(all(object(), 'input_tokens_details output_tokens_details')),
  incomplete_details: object({ reason: text }),
  error: failure,
}

const chunk = {
  ...response,
  type: text,
  object: text,
  ...all(number, 'sequence_number output_index content_index summary_index command_index'),
  response: object(response),
  item,
  part,
  annotation,
  ...all(text, 'item_id text refusal arguments input code diff command'),
}

const textChunk = object({ ...chunk, delta: text })
const shellChunk = object({
  ...all(number, 'sequence_number output_index'),
  item_id: text,
  delta: object(all(text, 'stdout stderr')),
})

/** A chunk, or a response that is not streamed. */
export function chunkShape({ type }: Fields): Shape {
  return textOf(type).startsWith('response.shell_call_output_content.') ? shellChunk : textChunk
}
