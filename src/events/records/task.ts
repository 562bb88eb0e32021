/** The kinds about tasks: schemas, and how the library handles them. */
import * as z from 'zod/mini'
import type { JsonValue } from '../../core/json-value.ts'
import { schemaOf } from '../../core/schema.ts'
import type { TaskCompleteEvent, TaskCreatedEvent, TaskStatusEvent } from '../task.ts'
import { errorInfo } from './error.ts'
import { count, id, maybe, metadata, open, timestamp } from './fields.ts'
import type { KindRecords } from './kind-record.ts'
import { usage } from './model-fields.ts'

export const taskKinds: KindRecords<TaskCreatedEvent | TaskStatusEvent | TaskCompleteEvent> = {
  'task-created': {
    schema: schemaOf<TaskCreatedEvent>()(
      open({
        kind: z.literal('task-created'),
        parentTaskId: maybe(id),
        initiator: z.enum(['user', 'agent']),
        timestamp,
        metadata: maybe(
          metadata({
            agentId: maybe(id),
            model: maybe(z.string()),
            input: maybe(z.unknown() as z.ZodMiniType<JsonValue>),
          }),
        ),
      }),
    ),
    backpressure: null,
    redaction: null,
  },
  'task-status': {
    schema: schemaOf<TaskStatusEvent>()(
      open({
        kind: z.literal('task-status'),
        status: z.enum([
          'submitted',
          'working',
          'waiting-input',
          'waiting-auth',
          'waiting-subtask',
          'completed',
          'failed',
          'canceled',
        ]),
        message: maybe(z.string()),
        error: maybe(errorInfo),
        timestamp,
        metadata: maybe(metadata({ reason: maybe(z.string()), blockedBy: maybe(z.string()) })),
      }),
    ),
    backpressure: null,
    redaction: { removed: { '/error/details': ['user', 'observer'] } },
  },
  'task-complete': {
    schema: schemaOf<TaskCompleteEvent>()(
      open({
        kind: z.literal('task-complete'),
        content: maybe(z.string()),
        artifacts: maybe(z.array(id)),
        timestamp,
        metadata: maybe(
          metadata({
            duration: maybe(z.number().check(z.minimum(0))),
            iterations: maybe(count),
            tokensUsed: maybe(count),
            usage: maybe(z.array(usage)),
            finishReason: maybe(z.string()),
          }),
        ),
      }),
    ),
    backpressure: null,
    redaction: null,
  },
}
