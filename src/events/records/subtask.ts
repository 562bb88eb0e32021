/** The kinds about subtasks: schemas, and how the library handles them. */
import * as z from 'zod/mini'
import { schemaOf } from '../../core/schema.ts'
import type { SubtaskCreatedEvent } from '../subtask.ts'
import { id, maybe, open, timestamp } from './fields.ts'
import type { KindRecords } from './kind-record.ts'

export const subtaskKinds: KindRecords<SubtaskCreatedEvent> = {
  'subtask-created': {
    schema: schemaOf<SubtaskCreatedEvent>()(
      open({
        kind: z.literal('subtask-created'),
        subtaskId: id,
        agentId: maybe(id),
        prompt: z.string(),
        timestamp,
      }),
    ),
    backpressure: null,
    redaction: null,
  },
}
