/** Every vocabulary with its schemas and its generated checks. */
import { checkCommand } from '../../src/commands/checks.generated.ts'
import { commandEnvelopeSchema } from '../../src/commands/records/schemas.ts'
import type { Schema } from '../../src/core/schema.ts'
import { envelopeSchema } from '../../src/dialects/agent-event/wire/schemas.ts'
import { sessionEnvelopeSchema } from '../../src/dialects/session/wire/schemas/index.ts'
import { checkContext, checkEvent } from '../../src/events/checks.generated.ts'
import { contextEnvelopeSchema } from '../../src/events/records/schemas.ts'
import type { Fields } from '../../src/validation/predicates.ts'
import {
  a2aV1Schemas,
  a2aV03Schemas,
  agentEventSchemas,
  clientHeartbeatSchema,
  commandSchemas,
  contextEventSchemas,
  frameV1Schemas,
  frameV2Schemas,
  sessionEventSchemas,
  toolEventSchemas,
} from '../../src/zod/index.ts'

export interface Vocabulary {
  readonly name: string
  readonly schemas: Readonly<Record<string, Schema<unknown>>>
  /** The field that selects the schema, and the generated check of an object that has it. */
  readonly tag?: string
  readonly check?: (tag: string, value: Fields) => boolean | undefined
}

/** Without generated checks: what the walker alone validates. */
const walked = {
  a2a: { ...a2aV1Schemas },
  'a2a 0.3': { ...a2aV03Schemas },
  envelopes: {
    events: contextEnvelopeSchema,
    commands: commandEnvelopeSchema,
    'agent-event': envelopeSchema,
    session: sessionEnvelopeSchema,
  },
  'agent-event of the document': { ...agentEventSchemas, ...toolEventSchemas },
  'session events': { ...sessionEventSchemas },
  'frames v1': { ...frameV1Schemas },
  'frames v2': { ...frameV2Schemas },
  'session of a client': { 'system.heartbeat': clientHeartbeatSchema },
}

export const vocabularies: readonly Vocabulary[] = [
  {
    name: 'events',
    schemas: contextEventSchemas,
    tag: 'kind',
    check: (kind, value) => checkEvent(kind, value) && checkContext(value),
  },
  { name: 'commands', schemas: commandSchemas, tag: 'kind', check: checkCommand },
  ...Object.entries(walked).map(([name, schemas]) => ({ name, schemas })),
]
