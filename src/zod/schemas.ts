/**
 * The schemas of all vocabularies: `schemas.event` is that of any event with its context, `schemas.events` has one for each kind, and
 * so for the others.
 */

export { commandSchema as command, commandSchemas as commands } from '../commands/records/schemas.ts'
export { a2aV03Schema as a2aV03, a2aV03Schemas as a2aV03Kinds } from '../dialects/a2a/wire/schemas-v0-3.ts'
export { a2aV1Schema as a2aV1, a2aV1Schemas as a2aV1Members } from '../dialects/a2a/wire/schemas-v1.ts'
export {
  agentEventSchema as agentEvent,
  agentEventSchemas as agentEvents,
  toolEventSchema as toolEvent,
  toolEventSchemas as toolEvents,
} from '../dialects/agent-event/wire/schemas.ts'
export {
  frameV1Schema as frameV1,
  frameV1Schemas as framesV1,
  frameV2Schema as frameV2,
  frameV2Schemas as framesV2,
} from '../dialects/frames/wire/schemas/index.ts'
export {
  sessionEventSchema as sessionEvent,
  sessionEventSchemas as sessionEvents,
} from '../dialects/session/wire/schemas/index.ts'
export { clientHeartbeatSchema as clientHeartbeat } from '../dialects/session/wire/schemas/system.ts'
export {
  anyEventSchema as eventWithoutContext,
  contextAnyEventSchema as event,
  contextEventSchemas as events,
  eventSchemas as eventsWithoutContext,
} from '../events/records/schemas.ts'
export { streamMessageSchemas as streamMessages } from '../streams/log/wire/schemas.ts'
