/**
 * The zod schemas of all vocabularies, for tools that take schemas. The only entry point that loads zod.
 *
 * @packageDocumentation
 */

export { commandSchema, commandSchemas } from '../commands/records/schemas.ts'
export type { Schema } from '../core/schema.ts'
export { a2aV03Schema, a2aV03Schemas } from '../dialects/a2a/wire/schemas-v0-3.ts'
export { a2aV1Schema, a2aV1Schemas } from '../dialects/a2a/wire/schemas-v1.ts'
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
} from '../dialects/frames/wire/schemas/index.ts'
export { sessionEventSchema, sessionEventSchemas } from '../dialects/session/wire/schemas/index.ts'
export { clientHeartbeatSchema } from '../dialects/session/wire/schemas/system.ts'
export {
  anyEventSchema,
  contextAnyEventSchema,
  contextEventSchemas,
  eventSchemas,
} from '../events/records/schemas.ts'
export { streamMessageSchemas } from '../streams/log/wire/schemas.ts'
