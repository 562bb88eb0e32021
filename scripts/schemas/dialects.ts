/** The vocabularies the package publishes schemas of. */
import { decodeAgentEvent } from '../../src/dialects/agent-event/wire/decode.ts'
import {
  envelopeSchema as agentEnvelopeSchema,
  agentEventSchemas,
} from '../../src/dialects/agent-event/wire/schemas.ts'
import { decodeFrame } from '../../src/dialects/frames/wire/decode.ts'
import {
  frameV1Schemas,
  frameV2Schemas,
  taggedV1EnvelopeSchema,
  taggedV2EnvelopeSchema,
} from '../../src/dialects/frames/wire/schemas.ts'
import { decodeSessionEvent } from '../../src/dialects/session/wire/decode.ts'
import { sessionEnvelopeSchema, sessionEventSchemas } from '../../src/dialects/session/wire/schemas.ts'
import { decodeEvent } from '../../src/events/decode.ts'
import { contextEnvelopeSchema, contextEventSchemas } from '../../src/events/schemas.ts'
import { PROTOCOL_VERSION } from '../../src/events/version.ts'
import type { Dialect } from './dialect.ts'

const events: Dialect = {
  name: 'events',
  version: PROTOCOL_VERSION,
  title: 'ContextAnyEvent',
  description:
    'Any event of an agent event stream with its context, as it travels. Writers leave out optional ' +
    'fields they have no value for; they never write null. Readers keep fields they do not know.',
  tag: 'kind',
  schemas: contextEventSchemas,
  envelope: contextEnvelopeSchema,
  type: { file: 'src/events/event.ts', name: 'ContextAnyEvent' },
  descriptions: {},
  decode: decodeEvent,
}

/** Both versions of frames are read by one decoder. */
const frames = {
  name: 'frames',
  tag: 'type',
} as const

const framesV1: Dialect = {
  ...frames,
  version: 'v1',
  title: 'FrameV1',
  description: 'Any frame of version 1, as it is written today.',
  schemas: frameV1Schemas,
  envelope: taggedV1EnvelopeSchema,
  type: { file: 'src/dialects/frames/wire/types.ts', name: 'FrameV1' },
  descriptions: {},
  decode: (value) => decodeFrame(value, { version: 'v1' }),
}

const framesV2: Dialect = {
  ...frames,
  version: 'v2',
  title: 'FrameV2',
  description: 'Any frame of version 2, as it is written today.',
  schemas: frameV2Schemas,
  envelope: taggedV2EnvelopeSchema,
  type: { file: 'src/dialects/frames/wire/types.ts', name: 'FrameV2' },
  descriptions: {},
  decode: (value) => decodeFrame(value, { version: 'v2' }),
}

const agentEvent: Dialect = {
  name: 'agent-event',
  version: '1.0',
  title: 'AgentEvent',
  description: 'Any event an agent sends to its client in the agent event stream.',
  tag: 'type',
  schemas: agentEventSchemas,
  envelope: agentEnvelopeSchema,
  type: { file: 'src/dialects/agent-event/wire/types.ts', name: 'AgentEvent' },
  descriptions: {},
  decode: decodeAgentEvent,
}

const session: Dialect = {
  name: 'session',
  version: '1.0',
  title: 'SessionEvent',
  description: 'Any event of the session protocol, of the user’s side or of the server.',
  tag: 'event',
  schemas: sessionEventSchemas,
  envelope: sessionEnvelopeSchema,
  type: { file: 'src/dialects/session/wire/event.ts', name: 'SessionEvent' },
  descriptions: {
    '*.content': 'What the event says.',
    '*.metadata': 'What else is known of it. Keys of the sender’s own may stand beside the known ones.',
  },
  decode: (value) => decodeSessionEvent(value),
}

/** Every vocabulary the package publishes schemas of. */
export const dialects: readonly Dialect[] = [events, framesV1, framesV2, agentEvent, session]
