/** The schemas of the session protocol, by name and as a union. */
import * as z from 'zod/mini'
import type { Schema } from '../../../../core/schema.ts'
import { byTag, id, maybe, maybeNull, open } from '../../../../events/records/fields.ts'
import type { SessionEvent, SessionEventOf } from '../event.ts'
import { type SessionEventName, sessionEventNames } from '../names.ts'
import { agentEvent } from './agent.ts'
import { bag, sessionEnvelope, text } from './envelope.ts'
import { errorEvent } from './error.ts'
import { extensionCommand, serverExtensionEvent } from './extension.ts'
import { planEvent } from './plan.ts'
import { resultEvent } from './result.ts'
import { resumeEvent } from './resume.ts'
import { solverEvent } from './solver.ts'
import { stateEvent } from './state.ts'
import { systemEvent } from './system.ts'
import { userEvent } from './user.ts'

type Schemas = { readonly [N in SessionEventName]: Schema<SessionEventOf<N>> }

const all = byTag('event', [
  userEvent,
  resumeEvent,
  planEvent,
  solverEvent,
  agentEvent,
  stateEvent,
  systemEvent,
  errorEvent,
  resultEvent,
  extensionCommand,
  serverExtensionEvent,
])

/** The strict schema of each event, in the order of `sessionEventNames`. */
export const sessionEventSchemas: Schemas = Object.fromEntries(
  sessionEventNames.map((name) => [name, all[name]]),
) as unknown as Schemas

/** The strict schema of any event. */
export const sessionEventSchema: Schema<SessionEvent> = z.discriminatedUnion(
  'event',
  Object.values(sessionEventSchemas) as unknown as [z.core.$ZodTypeDiscriminable],
) as unknown as Schema<SessionEvent>

/** The schema of the fields of every event, known or not. */
export const sessionEnvelopeSchema: Schema<{ event: string }> = open({
  event: id,
  ...sessionEnvelope,
  content: maybeNull(z.union([text, bag])),
  metadata: maybe(bag),
}) as unknown as Schema<{ event: string }>
