/** The schemas of the session protocol, by name and as a union. */
import * as z from 'zod/mini'
import type { Schema } from '../../../../core/schema.ts'
import { id, maybe, open } from '../../../../events/records/fields.ts'
import type { SessionEvent, SessionEventOf } from '../event.ts'
import { type SessionEventName, sessionEventNames } from '../names.ts'
import { agentSchemas } from './agent.ts'
import { bag, content, envelope, textOrBag } from './envelope.ts'
import { errorSchemas } from './error.ts'
import { extensionSchemas } from './extension.ts'
import { planSchemas } from './plan.ts'
import { resultSchemas } from './result.ts'
import { resumeSchemas } from './resume.ts'
import { solverSchemas } from './solver.ts'
import { stateSchemas } from './state.ts'
import { systemSchemas } from './system.ts'
import { userSchemas } from './user.ts'

type Schemas = { readonly [N in SessionEventName]: Schema<SessionEventOf<N>> }

const all: Schemas = {
  ...userSchemas,
  ...resumeSchemas,
  ...planSchemas,
  ...solverSchemas,
  ...agentSchemas,
  ...stateSchemas,
  ...systemSchemas,
  ...errorSchemas,
  ...resultSchemas,
  ...extensionSchemas,
}

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
  ...envelope,
  content: content(textOrBag),
  metadata: maybe(bag),
}) as unknown as Schema<{ event: string }>
