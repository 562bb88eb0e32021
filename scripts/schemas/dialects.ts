/** The vocabularies with published schemas. */
import { decodeCommand } from '../../src/commands/decode.ts'
import { commandEnvelopeSchema, commandSchemas } from '../../src/commands/records/schemas.ts'
import { COMMANDS_VERSION } from '../../src/commands/version.ts'
import { decodeAgentEvent } from '../../src/dialects/agent-event/wire/decode.ts'
import {
  envelopeSchema as agentEnvelopeSchema,
  agentEventSchemas,
} from '../../src/dialects/agent-event/wire/schemas.ts'
import { decodeFrame } from '../../src/dialects/frames/wire/codec/decode.ts'
import {
  frameV1Schemas,
  frameV2Schemas,
  taggedV1EnvelopeSchema,
  taggedV2EnvelopeSchema,
} from '../../src/dialects/frames/wire/schemas/index.ts'
import { decodeSessionEvent } from '../../src/dialects/session/wire/decode.ts'
import { sessionEnvelopeSchema, sessionEventSchemas } from '../../src/dialects/session/wire/schemas/index.ts'
import { decodeEvent } from '../../src/events/decode.ts'
import { contextEnvelopeSchema, contextEventSchemas } from '../../src/events/records/schemas.ts'
import { PROTOCOL_VERSION } from '../../src/events/version.ts'
import { streamEnvelopeSchema, streamMessageSchemas } from '../../src/streams/log/wire/schemas.ts'
import type { Dialect } from './dialect.ts'
import { schemaDecoder } from './schema-decoder.ts'

const events: Dialect = {
  name: 'events',
  version: PROTOCOL_VERSION,
  title: 'ContextAnyEvent',
  description:
    'Any event of an agent event stream, with context. Writers omit optional fields without a value; ' +
    'they never write null. Readers keep unknown fields.',
  tag: 'kind',
  schemas: contextEventSchemas,
  envelope: contextEnvelopeSchema,
  type: { file: 'src/events/event.ts', name: 'ContextAnyEvent' },
  descriptions: {},
  decode: decodeEvent,
}

const commands: Dialect = {
  name: 'commands',
  version: COMMANDS_VERSION,
  title: 'Command',
  description:
    'Any command that a client sends to an agent. Writers omit optional fields without a value; they never write ' +
    'null. Receivers keep unknown fields.',
  tag: 'kind',
  schemas: commandSchemas,
  envelope: commandEnvelopeSchema,
  type: { file: 'src/commands/command.ts', name: 'Command' },
  descriptions: {},
  decode: decodeCommand,
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
  description: 'Any frame of version 1, in its canonical form.',
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
  description: 'Any frame of version 2, in its canonical form.',
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
  description: 'Any event that an agent sends to its client in the agent event stream.',
  tag: 'type',
  schemas: agentEventSchemas,
  envelope: agentEnvelopeSchema,
  type: { file: 'src/dialects/agent-event/wire/types.generated.ts', name: 'AgentEvent' },
  descriptions: {},
  decode: decodeAgentEvent,
}

const session: Dialect = {
  name: 'session',
  version: '1.0',
  title: 'SessionEvent',
  description: 'Any event of the session protocol, sent by the user’s side or by the server.',
  tag: 'event',
  schemas: sessionEventSchemas,
  envelope: sessionEnvelopeSchema,
  type: { file: 'src/dialects/session/wire/event.ts', name: 'SessionEvent' },
  descriptions: {
    '*.content': 'The payload of the event.',
    '*.metadata': 'Additional information. Senders may add their own keys to the well-known ones.',
  },
  decode: (value) => decodeSessionEvent(value),
}

const stream: Dialect = {
  name: 'stream',
  version: '1.0',
  title: 'StreamMessage',
  description:
    'Any message about a stream that stands between its events. It has a `type` and no `kind`. The SSE event name is ' +
    '`stream-` and the type; readers go by the type, because servers may omit the name. The grammar of the SSE ids is in cursor.md.',
  tag: 'type',
  schemas: streamMessageSchemas,
  envelope: streamEnvelopeSchema,
  type: { file: 'src/streams/log/wire/messages.ts', name: 'StreamMessage' },
  descriptions: {},
  decode: schemaDecoder('type', streamMessageSchemas, streamEnvelopeSchema),
}

/** Every vocabulary with published schemas. */
export const dialects: readonly Dialect[] = [
  events,
  stream,
  commands,
  framesV1,
  framesV2,
  agentEvent,
  session,
]
