/** Frames within events: how what the core vocabulary has no word for gets through. */

import type { AnyEvent, ContextEvent } from '../../../events/event.ts'
import { isFields } from '../../../validation/predicates.ts'
import { fitsBody } from './decode.ts'
import { frameBodySchemas } from './schemas.ts'
import type { FrameV2, FrameV2Body, FrameV2Type, UnknownFrame } from './types.ts'

/** What a frame says, without its envelope. Of a known type or not. */
export type CarriedFrame = FrameV2Body | UnknownFrame

/**
 * An event that comes from a frame. Where the event says less than the frame did, it carries the
 * frame, without its envelope, in the field `frame`.
 */
export type FrameEvent = ContextEvent<AnyEvent> & { frame?: CarriedFrame }

/**
 * The frame an event carries, as `fromFrames` puts it there; `undefined` when it carries none. Narrow
 * it by `type`.
 *
 * @example
 * ```ts
 * const frame = carriedFrame(event)
 * if (frame?.type === 'checkpoint_created') offerRewind(frame)
 * ```
 */
export function carriedFrame(event: object): FrameV2Body | UnknownFrame | undefined {
  const { frame } = event as { frame?: unknown }
  if (!isFields(frame) || typeof frame.type !== 'string' || frame.type === '') return undefined
  const body = frame as unknown as CarriedFrame
  return fitsBody(body) === false ? undefined : body
}

/** A frame without its envelope. */
export function bodyOf(frame: object): CarriedFrame {
  const { id, session_id, stream_kind, stream_id, timestamp_ms, seq, ...body } = frame as FrameV2
  return body as CarriedFrame
}

const ENVELOPE = new Set(['id', 'session_id', 'stream_kind', 'stream_id', 'timestamp_ms', 'seq', 'type'])

/** Whether a frame says anything besides the given fields. An optional field that is `null` says nothing. */
export function saysMoreThan(frame: { type: FrameV2Type }, fields: readonly string[]): boolean {
  return Object.entries(frame).some(
    ([key, value]) =>
      value !== undefined &&
      !ENVELOPE.has(key) &&
      !fields.includes(key) &&
      (value !== null || !Object.hasOwn(shapeOf(frame.type), key)),
  )
}

function shapeOf(type: FrameV2Type): object {
  return (frameBodySchemas[type] as unknown as { _zod: { def: { shape: object } } })._zod.def.shape
}
