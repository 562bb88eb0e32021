/** Every vocabulary with its schemas. */
import { commandEnvelopeSchema, commandSchemas } from '../../src/commands/records/schemas.ts'
import type { Schema } from '../../src/core/schema.ts'
import { a2aV03Schemas } from '../../src/dialects/a2a/wire/schemas-v0-3.ts'
import { a2aV1Schemas } from '../../src/dialects/a2a/wire/schemas-v1.ts'
import {
  agentEventSchemas,
  envelopeSchema,
  toolEventSchemas,
} from '../../src/dialects/agent-event/wire/schemas.ts'
import { frameV1Schemas, frameV2Schemas } from '../../src/dialects/frames/wire/schemas/index.ts'
import { sessionEnvelopeSchema, sessionEventSchemas } from '../../src/dialects/session/wire/schemas/index.ts'
import { clientHeartbeatSchema } from '../../src/dialects/session/wire/schemas/system.ts'
import { contextEnvelopeSchema, contextEventSchemas } from '../../src/events/records/schemas.ts'

export interface Vocabulary {
  readonly name: string
  readonly schemas: Readonly<Record<string, Schema<unknown>>>
}

const others = {
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
  { name: 'events', schemas: contextEventSchemas },
  { name: 'commands', schemas: commandSchemas },
  ...Object.entries(others).map(([name, schemas]) => ({ name, schemas })),
]
