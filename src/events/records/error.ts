/** The kinds about errors: schemas, and how the library handles them. */
import * as z from 'zod/mini'
import { schemaOf } from '../../core/schema.ts'
import type { ErrorInfo, TaskErrorEvent } from '../error.ts'
import type { ErrorCode } from '../error-codes.ts'
import { count, id, maybe, open, ordinal, timestamp } from './fields.ts'
import type { KindRecords } from './kind-record.ts'

/** Shared by the kinds that carry an error. */
export const errorInfo: z.ZodMiniType<ErrorInfo> = schemaOf<ErrorInfo>()(
  open({
    code: z.string().check(z.minLength(1)) as z.ZodMiniType<ErrorCode>,
    message: z.string(),
    retry: z.enum(['retrying', 'retryable', 'exhausted', 'terminal']),
    retryAfterMs: maybe(count),
    attempt: maybe(ordinal),
    maxAttempts: maybe(ordinal),
    scope: maybe(z.enum(['tool', 'task', 'stream'])),
    toolCallId: maybe(id),
    details: maybe(z.unknown()),
  }),
)

export const errorKinds: KindRecords<TaskErrorEvent> = {
  'task-error': {
    schema: schemaOf<TaskErrorEvent>()(
      open({
        kind: z.literal('task-error'),
        error: errorInfo,
        timestamp,
      }),
    ),
    backpressure: null,
    redaction: { removed: { '/error/details': ['user', 'observer'] } },
  },
}
