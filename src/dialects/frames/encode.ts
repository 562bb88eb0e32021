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
  if (decoded.status === 'known') return JSON.stringify(inOrder(decoded.event, layouts[version]))
  const reasons = decoded.issues.map(({ path, message }) => `${path} ${message}`.trim())
  throw new TypeError(`Not a frame of version ${version}. ${reasons.join(' ')}`)
}

/** The fields of a type in the order they are written in, and whether an absent one is `null`. */
type Layout = ReadonlyMap<string, boolean>

const layouts = { v1: layoutsOf(frameV1Schemas), v2: layoutsOf(frameV2Schemas) }

function layoutsOf(schemas: Readonly<Record<string, z.core.$ZodType>>): ReadonlyMap<string, Layout> {
  return new Map(
    Object.entries(schemas).map(([type, schema]) => {
      const fields = Object.entries((schema as z.ZodMiniObject)._zod.def.shape)
      return [
        type,
        new Map(
          fields.map(([key, field]) => [key, (field as z.core.$ZodTypes)._zod.def.type === 'nullable']),
        ),
      ]
    }),
  )
}

function inOrder(frame: { type: string }, layoutByType: ReadonlyMap<string, Layout>): object {
  const fields = frame as Readonly<Record<string, unknown>>
  const layout: Layout = layoutByType.get(frame.type) ?? new Map()
  const known: Record<string, unknown> = {}
  for (const [key, isNull] of layout) known[key] = fields[key] ?? (isNull ? null : undefined)
  const old = aliasOf(frame.type)?.old
  const others = Object.entries(fields).filter(([key]) => !layout.has(key) && key !== old)
  return others.length === 0 ? known : { ...known, ...Object.fromEntries(others) }
}
