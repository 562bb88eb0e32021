/** The schemas of frames, by type and as unions. Their fields are in output order. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../core/schema.ts'
import { anyObject, count, id, maybe, open } from '../../../events/records/fields.ts'
import {
  type FrameBodyOf,
  type FrameV1,
  type FrameV1Envelope,
  type FrameV1Of,
  type FrameV1Type,
  type FrameV2,
  type FrameV2Envelope,
  type FrameV2Of,
  type FrameV2Type,
  frameV1Types,
} from './types/index.ts'

const text = z.string()
const texts = z.array(text)
const any = z.unknown()
/** A signed 32-bit integer. */
const int32 = z.int().check(z.minimum(-2147483648), z.maximum(2147483647))
/** An unsigned 16-bit integer. */
const uint16 = z.int().check(z.minimum(0), z.maximum(65535))
const output = open({ tool_id: id, chunk: text, artifact_refs: maybe(texts) })

/** A nullable field: optional when decoded, written as `null` when missing. */
function orNull<S extends z.core.$ZodType>(schema: S): z.ZodMiniNullable<z.ZodMiniExactOptional<S>> {
  return z.nullable(maybe(schema))
}

/** The fields of each type, besides `type` and the envelope. */
const bodies = {
  session_started: open({ input: text }),
  output_text_delta: open({ delta: text }),
  session_ended: open({ reason: text }),
  tool_started: open({ tool_id: id, name: id, args: any, timeout_ms: orNull(count) }),
  tool_stdout: output,
  tool_stderr: output,
  tool_ended: open({
    tool_id: id,
    exit_code: int32,
    duration_ms: count,
    artifacts: orNull(any),
    artifact_refs: maybe(texts),
  }),
  tool_failed: open({ tool_id: id, error: text }),
  provider_event: open({
    provider: text,
    status: z.enum(['event', 'done', 'invalid_json']),
    event_name: orNull(text),
    data: orNull(any),
    raw: orNull(text),
    errors: texts,
    response_errors: texts,
  }),
  checkpoint_created: open({
    checkpoint_id: id,
    label: text,
    created_at_ms: count,
    files: texts,
    auto: z.boolean(),
    tool_name: orNull(text),
  }),
  checkpoint_rewound: open({ checkpoint_id: id, label: text, files: texts }),
  checkpoint_failed: open({ action: z.enum(['create', 'rewind']), error: text }),
  tool_task_spawned: open({
    task_id: id,
    tool_name: id,
    args: any,
    cwd: orNull(text),
    title: orNull(text),
    execution_mode: z.enum(['pipes', 'pty']),
    origin_session_id: orNull(id),
    artifacts: orNull(any),
  }),
  tool_task_status: open({
    task_id: id,
    status: text,
    exit_code: orNull(int32),
    started_at_ms: orNull(count),
    ended_at_ms: orNull(count),
    artifacts: orNull(any),
    error: orNull(text),
    artifact_refs: maybe(texts),
  }),
  tool_task_cancel_requested: open({ task_id: id, reason: text }),
  tool_task_cancelled: open({ task_id: id, reason: text, wall_time_ms: orNull(count) }),
  tool_task_output_delta: open({
    task_id: id,
    stream: z.enum(['stdout', 'stderr', 'pty']),
    chunk: text,
    artifacts: orNull(any),
    artifact_refs: maybe(texts),
  }),
  tool_task_stdin_written: open({ task_id: id, chunk_b64: text }),
  tool_task_resized: open({ task_id: id, rows: uint16, cols: uint16 }),
  tool_task_signalled: open({ task_id: id, signal: text }),
  artifact_written: open({
    artifact_id: id,
    kind: text,
    bytes: count,
    digest: text,
    preview: maybe(text),
  }),
  skill_catalog_updated: open({ count, roots: texts, collisions: maybe(any) }),
  skill_loaded: open({
    name: id,
    path: text,
    digest: text,
    frontmatter: anyObject,
    warnings: maybe(texts),
  }),
  skill_invoked: open({
    name: id,
    args: maybe(any),
    mode: z.enum(['manual', 'auto']),
    effective_allowed_tools: maybe(texts),
  }),
  skill_warning: open({ name: maybe(id), kind: text, detail: text }),
}

/** All of them, tied to their interfaces: compiles only if both describe the same fields. */
const checked = schemaOf<{ [T in FrameV2Type]: Omit<FrameBodyOf<T>, 'type'> }>()(z.object(bodies))

/** The schema of each frame body, which is the same in both versions. */
export const frameBodySchemas: { readonly [T in FrameV2Type]: Schema<FrameBodyOf<T>> } = Object.fromEntries(
  Object.entries(asObject(checked)._zod.def.shape).map(([type, body]) => [
    type,
    open({ type: z.literal(type), ...asObject(body)._zod.def.shape }),
  ]),
) as never

/** The schema of the envelope of version 1. */
export const frameV1EnvelopeSchema: Schema<FrameV1Envelope> = schemaOf<FrameV1Envelope>()(
  open({ id, session_id: id, timestamp_ms: count, seq: count }),
)

/** The schema of the envelope of version 2. */
export const frameV2EnvelopeSchema: Schema<FrameV2Envelope> = schemaOf<FrameV2Envelope>()(
  open({ id, session_id: maybe(id), stream_kind: id, stream_id: id, timestamp_ms: count, seq: count }),
)

/** The schema of the fields that every frame of version 1 has. */
export const taggedV1EnvelopeSchema: Schema<FrameV1Envelope & { type: string }> = z.extend(
  asObject(frameV1EnvelopeSchema),
  { type: id },
) as never

/** The schema of the fields that every frame of version 2 has. */
export const taggedV2EnvelopeSchema: Schema<FrameV2Envelope & { type: string }> = z.extend(
  asObject(frameV2EnvelopeSchema),
  { type: id },
) as never

/** The schema of each frame type of version 1. */
export const frameV1Schemas: { readonly [T in FrameV1Type]: Schema<FrameV1Of<T>> } = within(
  frameV1EnvelopeSchema,
  frameV1Types,
) as never

/** The schema of each frame type of version 2. */
export const frameV2Schemas: { readonly [T in FrameV2Type]: Schema<FrameV2Of<T>> } = within(
  frameV2EnvelopeSchema,
  Object.keys(frameBodySchemas) as FrameV2Type[],
) as never

/** The schema of any frame of version 1. */
export const frameV1Schema: Schema<FrameV1> = unionOf(frameV1Schemas)

/** The schema of any frame of version 2. */
export const frameV2Schema: Schema<FrameV2> = unionOf(frameV2Schemas)

function within(envelope: z.core.$ZodType, types: readonly FrameV2Type[]): Record<string, unknown> {
  return Object.fromEntries(
    types.map((type) => [
      type,
      z.extend(asObject(envelope), asObject(frameBodySchemas[type])._zod.def.shape),
    ]),
  )
}

/** All schemas here are objects, but their declared type is only that of the output. */
function asObject(schema: z.core.$ZodType): z.ZodMiniObject {
  return schema as z.ZodMiniObject
}

function unionOf<T>(schemas: object): Schema<T> {
  return z.discriminatedUnion('type', Object.values(schemas) as never) as never
}
