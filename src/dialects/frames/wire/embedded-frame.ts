/** Frames embedded in events: they preserve what the core vocabulary cannot express. */

import { requireObject } from '../../../core/require.ts'
import type { AnyEvent, ContextEvent } from '../../../events/event.ts'
import { isFields } from '../../../validation/predicates.ts'
import { issuesOf } from '../../../validation/read.ts'
import { frameBodyShapes } from './shapes.generated.ts'
import type { FrameV2, FrameV2Body, FrameV2Type, UnknownFrame } from './types.ts'

/** A frame without its envelope, of a known type or not. */
export type EmbeddedFrame = FrameV2Body | UnknownFrame

/**
 * An event mapped from a frame. If the event cannot express all of the frame, its field `frame` embeds
 * the frame without its envelope.
 */
export type FrameEvent = ContextEvent<AnyEvent> & { frame?: EmbeddedFrame }

/**
 * The frame that `fromFrames` embedded in an event, or `undefined` if there is none or it is invalid.
 * Narrow it by `type`.
 *
 * @example
 * ```ts
 * const frame = embeddedFrame(event)
 * if (frame?.type === 'checkpoint_created') offerRewind(frame)
 * ```
 */
export function embeddedFrame(event: object): EmbeddedFrame | undefined {
  requireObject('event', event)
  const { frame } = event as { frame?: unknown }
  if (!isFields(frame) || typeof frame.type !== 'string' || frame.type === '') return undefined
  const shape = Object.hasOwn(frameBodyShapes, frame.type) ? frameBodyShapes[frame.type] : undefined
  const isValid =
    shape === undefined || issuesOf(['fields', shape], frame, { refusesNulls: true }).length === 0
  return isValid ? (frame as unknown as EmbeddedFrame) : undefined
}

/** A frame without its envelope. */
export function withoutEnvelope(frame: object): EmbeddedFrame {
  const { id, session_id, stream_kind, stream_id, timestamp_ms, seq, ...body } = frame as FrameV2
  return body as EmbeddedFrame
}

/** The fields that frames of every type have, in either version. */
export const envelopeFields: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'id',
  'session_id',
  'stream_kind',
  'stream_id',
  'timestamp_ms',
  'seq',
])

/** Whether the body of a frame has a field besides the given ones. An optional field that is `null` does not count. */
export function hasOtherFields(frame: { type: FrameV2Type }, fields: readonly string[]): boolean {
  const body = frame as unknown as Readonly<Record<string, unknown>>
  for (const key of Object.keys(body)) {
    if (body[key] === undefined || envelopeFields.has(key) || key === 'type' || fields.includes(key)) continue
    if (body[key] !== null || !Object.hasOwn(frameBodyShapes[frame.type] ?? {}, key)) return true
  }
  return false
}
