/** Encoding: from a frame to one line of a log. */
import { requireObject } from '../../../core/require.ts'
import { aliasOf } from './aliases.ts'
import { decodeFrame } from './decode.ts'
import { frameShapeOf } from './frame-shape.ts'
import { type AnyFrame, type FrameVersion, frameV1Types, frameV2Types } from './types.ts'
import { versionOf } from './versions.ts'

/**
 * Encodes a frame as one line of JSON, for a log or the `data` of an SSE message.
 *
 * Fields are written in the order runtimes use: the envelope (`id`, `session_id`, `stream_kind`,
 * `stream_id`, `timestamp_ms`, `seq`), `type`, the fields of the type in the order of the specification,
 * then unknown fields in their order. A missing nullable field is written as `null`; other optional
 * fields are omitted. Nested objects, such as `args`, keep their order. A frame of an unknown type is
 * written unchanged. Older names are never written.
 *
 * A frame with `stream_kind` and `stream_id` is encoded as version 2, any other as version 1.
 *
 * @throws TypeError if the frame is invalid, which is a mistake in the calling code. This includes
 * integers above 2^53-1, which JavaScript cannot represent.
 */
export function encodeFrame(frame: AnyFrame): string {
  requireObject('frame', frame)
  const version = versionOf(frame)
  const decoded = decodeFrame(frame, { version })
  if (decoded.status === 'unknown') return JSON.stringify(frame)
  if (decoded.status === 'known') {
    const { event } = decoded
    return JSON.stringify(inOrder(event, layouts[version].get(event.type) ?? []))
  }
  const reasons = decoded.issues.map(({ path, message }) => `${path} ${message}`.trim())
  throw new TypeError(`Expected a valid frame of version ${version}. ${reasons.join(' ')}`)
}

/** The fields of a type in output order, and whether a missing one is written as `null`. */
type Layout = readonly { readonly key: string; readonly isNull: boolean }[]

const layouts = { v1: layoutsOf('v1', frameV1Types), v2: layoutsOf('v2', frameV2Types) }

function layoutsOf(version: FrameVersion, types: readonly string[]): ReadonlyMap<string, Layout> {
  return new Map(types.map((type) => [type, layoutOf(version, type)]))
}

function layoutOf(version: FrameVersion, type: string): Layout {
  return Object.entries(frameShapeOf(version, type)).map(([key, shape]) => ({
    key,
    isNull: shape[0] === 'nullable',
  }))
}

function inOrder(frame: { type: string }, layout: Layout): object {
  const fields = frame as Readonly<Record<string, unknown>>
  if (isInOrder(fields, layout)) return frame
  const known: Record<string, unknown> = {}
  for (const { key, isNull } of layout) known[key] = fields[key] ?? (isNull ? null : undefined)
  const old = aliasOf(frame.type)?.old
  const others = Object.entries(fields).filter(([key]) => !Object.hasOwn(known, key) && key !== old)
  return others.length === 0 ? known : { ...known, ...Object.fromEntries(others) }
}

/** Whether a frame already has its output form, as most decoded frames do. */
function isInOrder(frame: Readonly<Record<string, unknown>>, layout: Layout): boolean {
  let at = 0
  for (const key in frame) {
    while (layout[at]?.key !== key) if (layout[at++]?.isNull !== false) return false
    if (frame[key] === undefined) return false
    at++
  }
  return !layout.some(({ isNull }, i) => i >= at && isNull)
}
