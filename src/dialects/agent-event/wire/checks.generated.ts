// Written by `npm run gen` from the zod schemas. Do not edit.
import { type Fields, isId, isText } from '../../../validation/predicates.ts'

function thought(o: Fields): boolean {
  return isText(o.content)
}

function toolCall(o: Fields): boolean {
  return isId(o.toolName) &&
    isText(o.toolArgs) &&
    (o.toolCallId === undefined || isId(o.toolCallId))
}

function toolProgress(o: Fields): boolean {
  return isId(o.toolName) &&
    (o.toolCallId === undefined || isId(o.toolCallId))
}

function toolResult(o: Fields): boolean {
  return isId(o.toolName) &&
    isText(o.output) &&
    (o.isError === undefined || typeof o.isError === 'boolean') &&
    (o.toolCallId === undefined || isId(o.toolCallId))
}

function error(o: Fields): boolean {
  return isText(o.error)
}

export function checkEnvelope(o: Fields): boolean {
  return isId(o.type)
}

/** Whether an event is valid for its tag; `undefined` for an unknown tag. */
export function checkByType(tag: string, o: Fields): boolean | undefined {
  // Parsed JSON strings are not interned: comparing lengths first is faster.
  switch (tag.length) {
    case 5:
      if (tag === 'final') return true
      if (tag === 'error') return error(o)
      return undefined
    case 6:
      if (tag === 'stream') return thought(o)
      if (tag === 'result') return toolResult(o)
      return undefined
    case 7:
      if (tag === 'thought') return thought(o)
      return undefined
    case 8:
      if (tag === 'progress') return toolProgress(o)
      return undefined
    case 9:
      if (tag === 'tool_call') return toolCall(o)
      return undefined
    case 11:
      if (tag === 'tool_result') return toolResult(o)
      return undefined
    case 13:
      if (tag === 'tool_progress') return toolProgress(o)
      return undefined
    default:
      return undefined
  }
}
