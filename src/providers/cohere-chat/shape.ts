/** The types of the fields of Cohere v2 chat that are read. */

import type { Fields } from '../shared/fields.ts'
import { all, either, failure, list, number, object, type Shape, text } from '../shared/shape.ts'

const call = object({ id: text, function: object(all(text, 'name arguments')) })

const source = object({ id: text, document: object(all(text, 'id url title snippet')) })

const citation = object({ type: text, ...all(number, 'start end content_index'), sources: list(source) })

const message = object({
  tool_plan: text,
  content: object(all(text, 'type text thinking')),
  tool_calls: call,
  citations: either(citation, list(citation)),
})

const startShape = object(all(text, 'type id'))

const partShape = object({
  ...all(text, 'type id'),
  index: number,
  delta: object({
    message,
    ...all(text, 'finish_reason error'),
    usage: object(all(object(), 'tokens billed_units')),
  }),
  error: failure,
})

/** Of the start, which repeats the empty message as lists, only the id is read. */
export function chunkShape({ type }: Fields): Shape {
  return type === 'message-start' ? startShape : partShape
}
