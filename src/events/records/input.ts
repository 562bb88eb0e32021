/** The kinds about input requests: schemas, and how the library handles them. */
import * as z from 'zod/mini'
import { schemaOf } from '../../core/schema.ts'
import type { InputCanceledEvent, InputReceivedEvent, InputRequiredEvent } from '../input.ts'
import { anyObject, id, maybe, metadata, open, timestamp } from './fields.ts'
import type { KindRecords } from './kind-record.ts'

const toolCall = metadata({
  id,
  type: maybe(z.string()),
  function: metadata({ name: id, arguments: z.string() }),
})

export const inputKinds: KindRecords<InputRequiredEvent | InputReceivedEvent | InputCanceledEvent> = {
  'input-required': {
    schema: schemaOf<InputRequiredEvent>()(
      open({
        kind: z.literal('input-required'),
        inputId: id,
        requireUser: maybe(z.boolean()),
        inputType: z.enum(['tool-execution', 'confirmation', 'clarification', 'selection', 'custom']),
        prompt: z.string(),
        schema: maybe(anyObject),
        options: maybe(z.array(z.unknown())),
        timestamp,
        metadata: maybe(
          metadata({
            toolCall: maybe(toolCall),
            provider: maybe(z.string()),
            urgency: maybe(z.enum(['low', 'medium', 'high'])),
            timeout: maybe(z.number().check(z.minimum(0))),
          }),
        ),
      }),
    ),
    backpressure: null,
    redaction: {
      removed: { '/options': ['observer'], '/schema': ['observer'], '/metadata/toolCall': ['observer'] },
    },
  },
  'input-received': {
    schema: schemaOf<InputReceivedEvent>()(
      open({
        kind: z.literal('input-received'),
        inputId: id,
        providedBy: z.enum(['user', 'agent']),
        userId: maybe(id),
        agentId: maybe(id),
        outcome: maybe(z.enum(['answered', 'declined'])),
        timestamp,
        metadata: maybe(metadata({ duration: maybe(z.number().check(z.minimum(0))), callDigest: maybe(id) })),
      }),
    ),
    backpressure: null,
    redaction: { removed: { '/userId': ['observer'], '/metadata/callDigest': ['parent', 'observer'] } },
  },
  'input-canceled': {
    schema: schemaOf<InputCanceledEvent>()(
      open({
        kind: z.literal('input-canceled'),
        inputId: id,
        reason: z.enum(['expired', 'withdrawn', 'task-ended']),
        timestamp,
      }),
    ),
    backpressure: null,
    redaction: null,
  },
}
