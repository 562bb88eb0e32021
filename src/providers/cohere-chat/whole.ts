/** A message that is not streamed. */

import { type Fields, isFields, objectsOf } from '../shared/fields.ts'

/** The chunks that a stream would have; `undefined` of anything but a message. */
export function chunksOfWhole({ id, type, message, finish_reason, usage }: Fields): Fields[] | undefined {
  if (type !== undefined || !isFields(message)) return undefined
  const { tool_plan, content, tool_calls, citations } = message
  const chunk = (type: string, index: number, message?: Fields): Fields => ({
    type,
    index,
    delta: { message },
  })
  return [
    { type: 'message-start', id },
    ...(typeof tool_plan === 'string' ? [chunk('tool-plan-delta', 0, { tool_plan })] : []),
    ...objectsOf(content).flatMap((content, i) => [
      chunk('content-start', i, { content }),
      chunk('content-end', i),
    ]),
    ...(citations == null ? [] : [chunk('citation-start', 0, { citations })]),
    ...objectsOf(tool_calls).flatMap((tool_calls, i) => [
      chunk('tool-call-start', i, { tool_calls }),
      chunk('tool-call-end', i),
    ]),
    { type: 'message-end', delta: { finish_reason, usage } },
  ]
}
