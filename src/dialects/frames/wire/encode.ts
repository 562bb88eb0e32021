/** From a frame to the text that goes into a log. */
import type * as z from 'zod/mini'
import { aliasOf } from './aliases.ts'
import { decodeFrame } from './decode.ts'
import { frameV1Schemas, frameV2Schemas } from './schemas.ts'
import type { AnyFrame } from './types.ts'
import { versionOf } from './versions.ts'

/**
 * Writes a frame as JSON, on one line: what a log or the `data` of an SSE message holds.
 *
 * The fields come in the order in which runtimes write them: the envelope (`id`, `session_id`,
 * `stream_kind`, `stream_id`, `timestamp_ms`, `seq`), `type`, what the type defines in the order of
 * the document, and then what this library does not know, as it came. Fields the document has as
 * “… | null” are written as `null` when there is nothing to say, and so are the optional ones of
 * `tool_task_…` frames, as runtimes do; other optional fields are left out. Objects within, such as
 * `args`, keep their order. A frame of an unknown type is written as it came. Older names are not
 * written.
 *
 * What has `stream_kind` and `stream_id` is of version 2.
 *
 * @throws TypeError when the frame is none: that is a mistake in the calling code. This includes whole
 * numbers above 2^53-1, which JavaScript cannot write as they are.
 */
export function encodeFrame(frame: AnyFrame): string {
  const version = versionOf(frame)
  const decoded = decodeFrame(frame, { version })
  if (decoded.status === 'unknown') return JSON.stringify(frame)
  if (decoded.status === 'known') {
    const { event } = decoded
    return JSON.stringify(inOrder(event, layouts[version].get(event.type) ?? []))
  }
  const reasons = decoded.issues.map(({ path, message }) => `${path} ${message}`.trim())
  throw new TypeError(`Not a frame of version ${version}. ${reasons.join(' ')}`)
}

/** The fields of a type in the order they are written in, and whether an absent one is `null`. */
type Layout = readonly { readonly key: string; readonly isNull: boolean }[]

const layouts = { v1: layoutsOf(frameV1Schemas), v2: layoutsOf(frameV2Schemas) }

function layoutsOf(schemas: Readonly<Record<string, z.core.$ZodType>>): ReadonlyMap<string, Layout> {
  return new Map(Object.entries(schemas).map(([type, schema]) => [type, layoutOf(schema)]))
}

function layoutOf(schema: z.core.$ZodType): Layout {
  return Object.entries((schema as z.ZodMiniObject)._zod.def.shape).map(([key, field]) => ({
    key,
    isNull: (field as z.core.$ZodTypes)._zod.def.type === 'nullable',
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

/** Whether a frame is as it is to be written, as one that was read mostly is. */
function isInOrder(frame: Readonly<Record<string, unknown>>, layout: Layout): boolean {
  let at = 0
  for (const key in frame) {
    while (layout[at]?.key !== key) if (layout[at++]?.isNull !== false) return false
    if (frame[key] === undefined) return false
    at++
  }
  return !layout.some(({ isNull }, i) => i >= at && isNull)
}
