/** The fields that every event has, wherever they are written. */

import { describeValue } from '../../../core/require.ts'
import { readClock } from '../../../validation/callbacks.ts'
import type { Fields } from '../../../validation/predicates.ts'
import { epochToTimestamp } from '../../shared/epoch-time.ts'
import { parseTimestamp } from '../../shared/timestamp.ts'
import type { FromLooopyOptions } from './options.ts'
import type { ReadInput } from './read-input.ts'
import { inferOnce, type LooopyBuilder } from './state.ts'

/** An event whose envelope is complete, as far as it can be known. */
export interface EventInEnvelope extends Fields {
  readonly kind: unknown
  readonly contextId: unknown
  readonly taskId: unknown
  readonly timestamp: unknown
}

/** Other spellings of the fields of the envelope. */
const aliases: Readonly<Record<string, string>> = {
  type: 'kind',
  context_id: 'contextId',
  task_id: 'taskId',
  parent_task_id: 'parentTaskId',
}

/** Completes the envelope of an event, and reports what the input does not state. */
export function readEnvelope(
  builder: LooopyBuilder,
  { fields, messageType, messageContext }: ReadInput,
  { contextId, now }: FromLooopyOptions,
): EventInEnvelope {
  const named = withNames(fields, aliases)
  const kind = kindOf(builder, named.kind, messageType)
  const timestamp = timestampOf(builder, named.timestamp, now)
  const context = named.contextId ?? contextId ?? messageContext
  if (context === undefined) {
    inferOnce(builder, 'contextId', 'No event states a contextId; the id of the task is used instead.')
  }
  return { ...named, kind, contextId: context ?? named.taskId, taskId: named.taskId, timestamp }
}

/** A copy with fields in other spellings renamed, unless it also has the field itself. */
export function withNames(fields: Fields, names: Readonly<Record<string, string>>): Record<string, unknown> {
  const renamed = { ...fields }
  for (const [from, to] of Object.entries(names)) {
    if (!Object.hasOwn(renamed, from) || (renamed[to] !== undefined && renamed[to] !== null)) continue
    renamed[to] = renamed[from]
    delete renamed[from]
  }
  return renamed
}

/** The kind in the data, otherwise that of the message. The type of a message may lack the prefix `internal:`. */
function kindOf(builder: LooopyBuilder, kind: unknown, messageType: string | undefined): unknown {
  if (typeof kind !== 'string') return kind ?? messageType
  if (messageType !== undefined && kind !== messageType && kind !== `internal:${messageType}`) {
    const [expected, actual] = [describeValue(kind), describeValue(messageType)]
    builder.inferred(
      'kind',
      `Expected the event type ${expected}, as in the data of the message, got ${actual}.`,
    )
  }
  return kind
}

function timestampOf(builder: LooopyBuilder, stated: unknown, now: FromLooopyOptions['now']): unknown {
  if (typeof stated === 'number' && stated >= 0) return epochToTimestamp(stated)
  if (stated !== undefined && stated !== null) return parseTimestamp(stated) ?? stated
  const source = now === undefined ? 'the time 0' : 'the time of now()'
  inferOnce(builder, 'timestamp', `An event states no timestamp; ${source} is used instead.`)
  return now === undefined ? '1970-01-01T00:00:00.000Z' : readClock(now)
}
