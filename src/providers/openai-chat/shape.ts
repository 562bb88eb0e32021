/** The types of the fields of Chat Completions that are read. */

import { all, either, failure, list, number, object, type Shape, text } from '../shared/shape.ts'

/** Some servers send the arguments as an object. */
const called = object({ name: text, arguments: either(text, object(), { types: ['array'] }) })

const call = object({
  // Some servers send it as a text.
  index: either(number, text),
  id: text,
  function: called,
  custom: object(all(text, 'name input')),
  extra_content: object({ google: object({ thought_signature: text }) }),
})

const part = object({ ...all(text, 'type text'), thinking: either(text, list(object({ text }))) })

const detail = object({ ...all(text, 'type id text summary signature data'), index: number })

const citation = object({ ...all(text, 'url title content'), ...all(number, 'start_index end_index') })

const delta = object({
  content: either(text, list(part)),
  ...all(text, 'refusal reasoning reasoning_content reasoning_text reasoning_opaque'),
  thinking_blocks: list(object(all(text, 'type thinking signature data'))),
  reasoning_details: list(detail),
  tool_calls: list(call),
  function_call: called,
  annotations: list(object({ type: text, url_citation: citation })),
  audio: object({ transcript: text }),
  images: list(object({ image_url: object({ url: text }) })),
})

const usage = object({ prompt_tokens_details: object(), completion_tokens_details: object() })

const choice = object({
  index: number,
  delta,
  message: delta,
  ...all(text, 'finish_reason text'),
  usage,
  error: failure,
})

export const chunkShape: Shape = object({
  ...all(text, 'id model provider object'),
  choices: list(choice),
  usage,
  x_groq: object({ usage }),
  citations: list(either(text, object({ url: text }))),
  search_results: list(object(all(text, 'url title snippet'))),
  error: failure,
})
