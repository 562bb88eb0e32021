/** Encoding: from a frame to one line of a log. */
import { requireObject } from '../../../../core/require.ts'
import { escapeLineEnds } from '../../../../encoding/line-ends.ts'
import type { ShapeFields } from '../../../../validation/shape.ts'
import { versionOf } from '../stream/frame-stream.ts'
import type { AnyFrame } from '../types.ts'
import { aliasOf, withWrittenStatus } from './aliases.ts'
import { decodeFrame } from './decode.ts'
import { frameShapeOf } from './frame-shape.ts'

/**
 * Encodes a frame as one line of JSON, for a log or the `data` of an SSE message.
 *
 * Fields are written in the order runtimes use: the envelope (`id`, `session_id`, `stream_kind`,
 * `stream_id`, `timestamp_ms`, `seq`), `type`, the fields of the type in the order of the specification,
 * then unknown fields in their order. A missing nullable field is written as `null`; other optional
 * fields are omitted. Nested objects, such as `args`, keep their order. A frame of an unknown type is
 * written unchanged. Older names are never written, nor the spelling `canceled` of a `tool_task_status`, which
 * runtimes refuse. U+0085, U+2028 and U+2029 are escaped, as some readers of lines take them for line ends.
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
  if (decoded.status === 'unknown') return escapeLineEnds(JSON.stringify(frame))
  if (decoded.status === 'known') {
    const event = withWrittenStatus(decoded.event)
    return escapeLineEnds(JSON.stringify(inOrder(event, frameShapeOf(version, event.type)?.[1] ?? {})))
  }
  const reasons = decoded.issues.map(({ path, message }) => `${path} ${message}`.trim())
  throw new TypeError(`Expected a valid frame of version ${version}. ${reasons.join(' ')}`)
}

function inOrder(frame: { type: string }, shape: ShapeFields): object {
  const fields = frame as Readonly<Record<string, unknown>>
  const layout = Object.entries(shape).map(([key, field]) => ({
    key,
    isNull: field[0] === 'maybe' && field[1][0] === 'nullable',
  }))
  if (isInOrder(fields, layout)) return frame
  const known: Record<string, unknown> = {}
  for (const { key, isNull } of layout) known[key] = fields[key] === undefined && isNull ? null : fields[key]
  const old = aliasOf(frame.type)?.old
  const others = Object.entries(fields).filter(([key]) => !Object.hasOwn(known, key) && key !== old)
  return others.length === 0 ? known : { ...known, ...Object.fromEntries(others) }
}

/** The fields of a type in output order, and whether a missing one is written as `null`. */
type Layout = readonly { readonly key: string; readonly isNull: boolean }[]

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
