/** The schemas of A2A 1.0. They are strict: unknown fields, empty lists and unknown values are errors. */
import * as z from 'zod/mini'
import type { JsonValue } from '../../../core/json-value.ts'
import { type Schema, schemaOf } from '../../../core/schema.ts'
import { id, maybe, metadata } from '../../../events/records/fields.ts'
import type {
  A2aV1Artifact,
  A2aV1Message,
  A2aV1Part,
  A2aV1StreamResponse,
  A2aV1Task,
  A2aV1TaskArtifactUpdateEvent,
  A2aV1TaskStatus,
  A2aV1TaskStatusUpdateEvent,
} from './types-v1.ts'

const anyMetadata = maybe(metadata({}))
const strings = maybe(z.array(z.string()))
const common = { filename: maybe(z.string()), mediaType: maybe(z.string()), metadata: anyMetadata }
const json = z.unknown() as z.ZodMiniType<JsonValue>

const part = schemaOf<A2aV1Part>()(
  z.union([
    z.strictObject({ text: z.string(), ...common }),
    z.strictObject({ raw: z.base64(), ...common }),
    z.strictObject({ url: id, ...common }),
    z.strictObject({ data: json, ...common }),
  ]),
)
const parts = z.array(part).check(z.minLength(1))

const message = schemaOf<A2aV1Message>()(
  z.strictObject({
    messageId: id,
    role: z.enum(['ROLE_USER', 'ROLE_AGENT']),
    parts,
    contextId: maybe(id),
    taskId: maybe(id),
    referenceTaskIds: strings,
    extensions: strings,
    metadata: anyMetadata,
  }),
)

const status = schemaOf<A2aV1TaskStatus>()(
  z.strictObject({
    state: z.enum([
      'TASK_STATE_SUBMITTED',
      'TASK_STATE_WORKING',
      'TASK_STATE_COMPLETED',
      'TASK_STATE_FAILED',
      'TASK_STATE_CANCELED',
      'TASK_STATE_INPUT_REQUIRED',
      'TASK_STATE_REJECTED',
      'TASK_STATE_AUTH_REQUIRED',
    ]),
    message: maybe(message),
    timestamp: maybe(z.iso.datetime()),
  }),
)

const artifact = schemaOf<A2aV1Artifact>()(
  z.strictObject({
    artifactId: id,
    parts,
    name: maybe(z.string()),
    description: maybe(z.string()),
    extensions: strings,
    metadata: anyMetadata,
  }),
)

const task = schemaOf<A2aV1Task>()(
  z.strictObject({
    id,
    contextId: maybe(id),
    status,
    artifacts: maybe(z.array(artifact)),
    history: maybe(z.array(message)),
    metadata: anyMetadata,
  }),
)

const statusUpdate = schemaOf<A2aV1TaskStatusUpdateEvent>()(
  z.strictObject({ taskId: id, contextId: id, status, metadata: anyMetadata }),
)

const artifactUpdate = schemaOf<A2aV1TaskArtifactUpdateEvent>()(
  z.strictObject({
    taskId: id,
    contextId: id,
    artifact,
    append: maybe(z.boolean()),
    lastChunk: maybe(z.boolean()),
    metadata: anyMetadata,
  }),
)

/** The schema of each member of an item of an A2A 1.0 stream. An item has one of them. */
export const a2aV1Schemas: {
  readonly [M in A2aV1StreamResponse as keyof M]: Schema<M[keyof M]>
} = {
  task,
  message,
  statusUpdate,
  artifactUpdate,
}

/** The schema of any item of an A2A 1.0 stream. */
export const a2aV1Schema: Schema<A2aV1StreamResponse> = schemaOf<A2aV1StreamResponse>()(
  z.union([
    z.strictObject({ task }),
    z.strictObject({ message }),
    z.strictObject({ statusUpdate }),
    z.strictObject({ artifactUpdate }),
  ]),
)
