/** The types of the fields of Interactions that are read. */

import { all, either, failure, flag, list, number, object, type Shape, text } from '../shared/shape.ts'

const annotation = object({
  ...all(text, 'url title file_name source'),
  ...all(number, 'start_index end_index'),
})

const part = { ...all(text, 'type text data mime_type'), annotations: list(annotation) }

/** A step, or what a chunk adds to one. */
const step = {
  ...part,
  ...all(text, 'id name signature call_id'),
  arguments: either(text, object()),
  is_error: flag,
  summary: list(object({ text })),
}

const interaction = object({
  ...all(text, 'id model status'),
  usage: object(),
  error: failure,
})

export const chunkShape: Shape = object({
  event_type: text,
  index: number,
  interaction,
  step: object({ ...step, content: either(list(object(part)), object(part)) }),
  delta: object({ ...step, content: object(part) }),
  error: failure,
})
