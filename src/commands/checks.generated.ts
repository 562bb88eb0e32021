// Written by `npm run gen` (scripts/generate.ts) from the zod schemas in src/commands/records. Do not edit.
import { type Fields, isFields, isId, isListOf, isPlain, isText, isTimestamp } from '../validation/predicates.ts'

function taskSend(o: Fields): boolean {
  return isId(o.commandId) &&
    (o.contextId === undefined || isId(o.contextId)) &&
    (o.taskId === undefined || isId(o.taskId)) &&
    'input' in o &&
    (o.sourceDigest === undefined || isId(o.sourceDigest)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || isFields(o.metadata))
}

function taskCancel(o: Fields): boolean {
  return isId(o.commandId) &&
    (o.contextId === undefined || isId(o.contextId)) &&
    (o.taskId === undefined || isId(o.taskId)) &&
    (o.reason === undefined || isText(o.reason)) &&
    isTimestamp(o.timestamp)
}

function inputRespondResponsesItem(o: Fields): boolean {
  return isId(o.inputId) &&
    (o.taskId === undefined || isId(o.taskId)) &&
    (o.outcome === undefined || (o.outcome === 'answered' || o.outcome === 'declined')) &&
    (o.reason === undefined || isText(o.reason)) &&
    (o.callDigest === undefined || isId(o.callDigest))
}

function inputRespond(o: Fields): boolean {
  return isId(o.commandId) &&
    (o.contextId === undefined || isId(o.contextId)) &&
    isListOf(o.responses, (item) => (isPlain(item) && inputRespondResponsesItem(item)), 1) &&
    (o.sourceDigest === undefined || isId(o.sourceDigest)) &&
    isTimestamp(o.timestamp)
}

function authRespond(o: Fields): boolean {
  return isId(o.commandId) &&
    (o.contextId === undefined || isId(o.contextId)) &&
    (o.taskId === undefined || isId(o.taskId)) &&
    isId(o.authId) &&
    (o.outcome === 'completed' || o.outcome === 'denied' || o.outcome === 'failed') &&
    (o.credentialRef === undefined || isId(o.credentialRef)) &&
    (o.expiresAt === undefined || isTimestamp(o.expiresAt)) &&
    (o.message === undefined || isText(o.message)) &&
    (o.sourceDigest === undefined || isId(o.sourceDigest)) &&
    isTimestamp(o.timestamp)
}

function toolResult(o: Fields): boolean {
  return isId(o.commandId) &&
    (o.contextId === undefined || isId(o.contextId)) &&
    (o.taskId === undefined || isId(o.taskId)) &&
    isId(o.toolCallId) &&
    typeof o.success === 'boolean' &&
    (o.error === undefined || isText(o.error)) &&
    (o.sourceDigest === undefined || isId(o.sourceDigest)) &&
    isTimestamp(o.timestamp)
}

function streamResume(o: Fields): boolean {
  return isId(o.commandId) &&
    (o.contextId === undefined || isId(o.contextId)) &&
    (o.taskId === undefined || isId(o.taskId)) &&
    (o.lastEventId === undefined || isText(o.lastEventId)) &&
    isTimestamp(o.timestamp)
}

export function checkCommandEnvelope(o: Fields): boolean {
  return isId(o.kind) &&
    isId(o.commandId) &&
    isTimestamp(o.timestamp)
}

/** Whether an event is valid for its tag; `undefined` for an unknown tag. */
export function checkCommand(tag: string, o: Fields): boolean | undefined {
  // Parsed JSON strings are not interned: comparing lengths first is faster.
  switch (tag.length) {
    case 9:
      if (tag === 'task.send') return taskSend(o)
      return undefined
    case 11:
      if (tag === 'task.cancel') return taskCancel(o)
      if (tag === 'tool.result') return toolResult(o)
      return undefined
    case 12:
      if (tag === 'auth.respond') return authRespond(o)
      return undefined
    case 13:
      if (tag === 'input.respond') return inputRespond(o)
      if (tag === 'stream.resume') return streamResume(o)
      return undefined
    default:
      return undefined
  }
}
