/**
 * The zod schemas of all vocabularies, for tools that take schemas. The only part of the core that loads zod.
 *
 * @packageDocumentation
 */

export type { Schema } from '../core/schema.ts'
export {
  agentEventSchema,
  agentEventSchemas,
  toolEventSchema,
  toolEventSchemas,
} from '../dialects/agent-event/wire/schemas.ts'
export {
  frameV1Schema,
  frameV1Schemas,
  frameV2Schema,
  frameV2Schemas,
} from '../dialects/frames/wire/schemas.ts'
export { clientHeartbeatSchema } from '../dialects/session/wire/events/system.ts'
export { sessionEventSchema, sessionEventSchemas } from '../dialects/session/wire/schemas.ts'
export {
  anyEventSchema,
  contextAnyEventSchema,
  contextEventSchemas,
  eventSchemas,
} from '../events/schemas.ts'
