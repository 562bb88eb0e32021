/** The schemas of A2A 0.3. They are strict: unknown fields, empty lists and unknown values are errors. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../core/schema.ts'
import { id, maybe, metadata } from '../../../events/records/fields.ts'
import type {
  A2aV03Artifact,
  A2aV03Message,
  A2aV03Part,
  A2aV03StreamEvent,
  A2aV03Task,
  A2aV03TaskArtifactUpdateEvent,
  A2aV03TaskStatus,
  A2aV03TaskStatusUpdateEvent,
} from './types-v0-3.ts'

const anyMetadata = maybe(metadata({}))
const strings = maybe(z.array(z.string()))

const part = schemaOf<A2aV03Part>()(
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('text'), text: z.string(), metadata: anyMetadata }),
    z.strictObject({
      kind: z.literal('file'),
      file: z.union([
        z.strictObject({ bytes: z.base64(), name: maybe(z.string()), mimeType: maybe(z.string()) }),
        z.strictObject({ uri: id, name: maybe(z.string()), mimeType: maybe(z.string()) }),
      ]),
      metadata: anyMetadata,
    }),
    z.strictObject({ kind: z.literal('data'), data: metadata({}), metadata: anyMetadata }),
  ]),
)
const parts = z.array(part).check(z.minLength(1))

const message = schemaOf<A2aV03Message>()(
  z.strictObject({
    kind: z.literal('message'),
    messageId: id,
    role: z.enum(['user', 'agent']),
    parts,
    contextId: maybe(id),
    taskId: maybe(id),
    referenceTaskIds: strings,
    extensions: strings,
    metadata: anyMetadata,
  }),
)

const status = schemaOf<A2aV03TaskStatus>()(
  z.strictObject({
    state: z.enum([
      'submitted',
      'working',
      'input-required',
      'completed',
      'canceled',
      'failed',
      'rejected',
      'auth-required',
      'unknown',
    ]),
    message: maybe(message),
    timestamp: maybe(z.string()),
  }),
)

const artifact = schemaOf<A2aV03Artifact>()(
  z.strictObject({
    artifactId: id,
    parts,
    name: maybe(z.string()),
    description: maybe(z.string()),
    extensions: strings,
    metadata: anyMetadata,
  }),
)

const task = schemaOf<A2aV03Task>()(
  z.strictObject({
    kind: z.literal('task'),
    id,
    contextId: id,
    status,
    artifacts: maybe(z.array(artifact)),
    history: maybe(z.array(message)),
    metadata: anyMetadata,
  }),
)

const statusUpdate = schemaOf<A2aV03TaskStatusUpdateEvent>()(
  z.strictObject({
    kind: z.literal('status-update'),
    taskId: id,
    contextId: id,
    status,
    final: z.boolean(),
    metadata: anyMetadata,
  }),
)

const artifactUpdate = schemaOf<A2aV03TaskArtifactUpdateEvent>()(
  z.strictObject({
    kind: z.literal('artifact-update'),
    taskId: id,
    contextId: id,
    artifact,
    append: maybe(z.boolean()),
    lastChunk: maybe(z.boolean()),
    metadata: anyMetadata,
  }),
)

/** The schema of each item of an A2A 0.3 stream, by `kind`. */
export const a2aV03Schemas: { readonly [E in A2aV03StreamEvent as E['kind']]: Schema<E> } = {
  task,
  message,
  'status-update': statusUpdate,
  'artifact-update': artifactUpdate,
}

/** The schema of any item of an A2A 0.3 stream. */
export const a2aV03Schema: Schema<A2aV03StreamEvent> = z.discriminatedUnion(
  'kind',
  Object.values(a2aV03Schemas) as unknown as [z.core.$ZodTypeDiscriminable],
) as unknown as Schema<A2aV03StreamEvent>
