/** What an input of `fromLooopy` holds: an event, in an SSE message or by itself. */

import type { Issue } from '../../../core/decode-result.ts'
import { asJsonMessage } from '../../../core/json-message.ts'
import { describeValue } from '../../../core/require.ts'
import { parsedJson } from '../../../json/parsed.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'

/**
 * An SSE message as `sseDecoder` emits it, whose `data` is JSON, one of `jsonDecoder`, or an event that has been parsed.
 *
 * A server of Looopy omits `kind` and `contextId` in the data: they are in the event type and the id of the message.
 */
export type LooopyInput = { readonly event?: string; readonly data: string; readonly id?: string } | object

/** The fields of an event, and what the message around it states about it. */
export interface ReadInput {
  readonly fields: Fields
  /** The type of the SSE message; `undefined` if it has none. */
  readonly messageType?: string | undefined
  /** The context in the id of the SSE message, `<contextId>-<n>`; `undefined` if it has none. */
  readonly messageContext?: string | undefined
}

/** Reads an input. Returns an issue if it is no JSON object. */
export function readInput(input: unknown): ReadInput | Issue {
  if (!isFields(input))
    return {
      code: 'invalid-type',
      path: '',
      message: `Expected an event or an SSE message, got ${describeValue(input)}.`,
    }
  const { event, data, id } = input
  // The data of an event can be text as well, but an event names its kind or its task.
  if (input.kind !== undefined || input.taskId !== undefined || input.task_id !== undefined)
    return { fields: input }
  const message = asJsonMessage(input)
  if (message === undefined && typeof data !== 'string') return { fields: input }
  const fields = message === undefined ? parsedJson(data as string) : message.value
  if (!isFields(fields)) {
    const [name, got] = message === undefined ? ['data', data] : ['value', fields]
    return {
      code: 'invalid-type',
      path: `/${name}`,
      message: `Expected the JSON of an event in ${name}, got ${describeValue(got)}.`,
    }
  }
  return {
    fields,
    messageType: typeof event === 'string' && event !== '' && event !== 'message' ? event : undefined,
    messageContext: typeof id === 'string' ? /^(.+)-\d+$/.exec(id)?.[1] : undefined,
  }
}
