/** Rules of single frames: the envelope, and the fields of the type. */

import type { Issue } from '../../../../core/decode-result.ts'
import { expectEqual, reportUnexpected } from '../../../../rules/expect.ts'
import {
  defineRule,
  ERROR,
  ERROR_LENIENT_WARN,
  type Rules,
  WARN_STRICT_ONLY,
} from '../../../../rules/rule.ts'
import { type Fields, isFields } from '../../../../validation/predicates.ts'
import { MAX_ID_LENGTH } from '../../wire/stream/read-frame.ts'
import type { FrameVersion } from '../../wire/types.ts'
import type { FrameContext } from '../context.ts'
import type { EnvelopeRuleName } from '../rule-names.ts'

export const envelopeRules: Rules<EnvelopeRuleName> = {
  envelope: defineRule('F01', 'stated', ERROR, 'A frame has a valid envelope and the fields of its type.'),
  'safe-integer': defineRule('F04', 'added', ERROR, 'Numbers are in range, integers at most 2^53-1.'),
  'stream-alias': defineRule('F18', 'stated', ERROR, 'session_id equals stream_id.'),
  'version-round-trip': defineRule(
    'F19',
    'added',
    ERROR_LENIENT_WARN,
    'A version 1 frame has no stream_id, so that it survives conversion to version 2 and back.',
  ),
  'open-world': defineRule(
    'F20',
    'added',
    WARN_STRICT_ONLY,
    'Frame types and stream kinds are defined in this version. Others are valid.',
  ),
  uuid: defineRule('F21', 'stated', ['error', 'off', 'off'], 'Ids of frames and sessions are UUIDs.'),
}

/** The readable fields of an envelope. */
export interface Envelope {
  /** Identifies the stream in the state. */
  readonly key: string
  /** The kind of the stream. Omitted in version 1. */
  readonly kind: string | undefined
  /** The id of the stream. */
  readonly id: string
  readonly frameId: string
  readonly seq: number | undefined
  readonly time: number | undefined
}

/** A value as text; empty for an object, whose text may have as many levels as it has. */
export function textOf(value: unknown): string {
  return typeof value === 'object' ? '' : String(value)
}

/** Reads the envelope, even of an invalid frame; `undefined` if the stream cannot be determined. */
export function readEnvelope(value: unknown, version: FrameVersion): Envelope | undefined {
  if (!isFields(value)) return undefined
  const { session_id, stream_id, stream_kind } = value
  const isV1 = version === 'v1'
  const kind = isV1 ? '' : stream_kind
  const id = isV1 ? session_id : stream_id
  const frameId = textOf(value.id)
  if (typeof id !== 'string' || typeof kind !== 'string') return undefined
  // Longer ones are not stored.
  if (Math.max(id.length, kind.length, frameId.length) > MAX_ID_LENGTH) return undefined
  return {
    key: isV1 ? id : `${kind.length}:${kind}/${id}`,
    kind: isV1 ? undefined : kind,
    id,
    frameId,
    seq: integerOf(value.seq),
    time: integerOf(value.timestamp_ms),
  }
}

/** The name of a stream in violations, from its key in the state. */
export function streamName(key: string, version: FrameVersion): string {
  return version === 'v1' ? key : key.slice(key.indexOf(':') + 1)
}

function integerOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined
}

/** Reports the issues of an invalid frame. */
export function reportIssues(context: FrameContext, issues: readonly Issue[], value: unknown): void {
  for (const { code, path, message } of issues) {
    const isNumber = code === 'out-of-range' && isFields(value) && typeof value[path.slice(1)] === 'number'
    context.report(isNumber ? 'safe-integer' : 'envelope', message, path === '' ? {} : { path })
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const KINDS: readonly string[] = ['session', 'task', 'continuity', 'thread', 'artifact']

/**
 * Checks the ids, the kind of the stream and the type.
 *
 * @param unknownType - The type, if it is unknown.
 */
export function checkEnvelope(
  context: FrameContext,
  { frameId, id, kind }: Envelope,
  { session_id, stream_id }: Fields,
  unknownType: string | undefined,
): void {
  const isSession = kind === 'session' || (kind === undefined && context.stream.kind !== 'task')
  const idField = kind === undefined ? 'session_id' : 'stream_id'
  if (!UUID.test(frameId)) reportUnexpected(context, 'uuid', '/id', 'a UUID as id', frameId)
  if (isSession && !UUID.test(id))
    reportUnexpected(context, 'uuid', `/${idField}`, `a UUID as ${idField}`, id)
  if (unknownType !== undefined) reportUnexpected(context, 'open-world', '/type', 'a known type', unknownType)
  if (kind !== undefined && !KINDS.includes(kind)) {
    reportUnexpected(context, 'open-world', '/stream_kind', 'a known stream kind', kind)
  }
  if (kind === undefined && stream_id !== undefined) {
    const expected = 'no stream_id in a frame of version 1'
    reportUnexpected(context, 'version-round-trip', '/stream_id', expected, stream_id)
  }
  if (session_id !== undefined) expectEqual(context, 'stream-alias', '/session_id', id, session_id)
}
