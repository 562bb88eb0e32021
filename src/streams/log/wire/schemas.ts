/** The validators of the messages about a stream, by type. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../core/schema.ts'
import { count, id, maybe, open, timestamp } from '../../../events/records/fields.ts'
import type {
  ForgottenTaskMessage,
  SnapshotEvent,
  StreamClosedMessage,
  StreamForgottenMessage,
  StreamLossMessage,
  StreamResetMessage,
} from './messages.ts'

const snapshotEvent: Schema<SnapshotEvent> = schemaOf<SnapshotEvent>()(
  open({
    kind: id,
    contextId: id,
    taskId: id,
    timestamp,
    parentTaskId: maybe(id),
    path: maybe(z.array(id)),
  }),
)

const forgottenTask: Schema<ForgottenTaskMessage> = schemaOf<ForgottenTaskMessage>()(
  open({ contextId: id, taskId: id, parentTaskId: maybe(id), path: maybe(z.array(id)), timestamp }),
)

/** The validator of each message about a stream, by `type`. */
export const streamMessageSchemas: {
  readonly reset: Schema<StreamResetMessage>
  readonly forgotten: Schema<StreamForgottenMessage>
  readonly loss: Schema<StreamLossMessage>
  readonly closed: Schema<StreamClosedMessage>
} = {
  reset: schemaOf<StreamResetMessage>()(
    open({
      type: z.literal('reset'),
      reason: id,
      stream: id,
      epoch: id,
      filter: maybe(id),
      through: z.int().check(z.minimum(-1)),
      earliest: count,
      older: maybe(id),
      part: maybe(count),
      more: maybe(z.boolean()),
      events: maybe(z.array(snapshotEvent)),
    }),
  ),
  forgotten: schemaOf<StreamForgottenMessage>()(
    open({
      type: z.literal('forgotten'),
      tasks: z.array(forgottenTask),
      before: timestamp,
      more: maybe(z.boolean()),
    }),
  ),
  loss: schemaOf<StreamLossMessage>()(open({ type: z.literal('loss'), loss: z.record(z.string(), count) })),
  closed: schemaOf<StreamClosedMessage>()(open({ type: z.literal('closed') })),
}

/** The field that messages of all types have. */
export const streamEnvelopeSchema: z.ZodMiniType<{ type: string }> = open({ type: id })
