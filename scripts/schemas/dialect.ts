/** What the schemas of one vocabulary are written from. */
import type * as z from 'zod/mini'
import type { Decoded } from '../../src/decoded.ts'
import { decodeEvent } from '../../src/events/decode.ts'
import { contextEnvelopeSchema, contextEventSchemas } from '../../src/events/schemas.ts'
import { PROTOCOL_VERSION } from '../../src/version.ts'

/** One vocabulary in one version: `schemas/<name>/<version>/`. */
export interface Dialect {
  readonly name: string
  readonly version: string
  /** What the union of all events is called. */
  readonly title: string
  readonly description: string
  /** The field that tells events apart. */
  readonly tag: string
  /** The validator of each event by its tag. */
  readonly schemas: Readonly<Record<string, z.core.$ZodType>>
  /** What an event of an unknown tag must have. */
  readonly envelope: z.core.$ZodType
  /** Where the union is declared as a type: names and descriptions come from there. */
  readonly type: { readonly file: string; readonly name: string }
  /** Descriptions of what the types themselves do not describe, as `Type.field`. */
  readonly descriptions: Readonly<Record<string, string>>
  /** The decoder whose verdict the schemas must share. */
  readonly decode: (value: unknown) => Decoded<unknown>
}

const toolCallId = 'The call: the same id as in the other events of the call.'
const toolName = 'The tool that is called.'
const artifactId = 'Names the artifact; all events of one artifact share it. Unique in the context.'

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
  descriptions: {
    'FileWriteEvent.artifactId': artifactId,
    'DataWriteEvent.artifactId': artifactId,
    'DatasetWriteEvent.artifactId': artifactId,
    'ArtifactDeltaEvent.artifactId': artifactId,
    'JsonPatchOperation.op': 'What to do, as RFC 6902 defines it.',
    'MergePatchChange.patch': 'The document to merge in; null removes a member.',
    'TextAppendChange.text': 'The text to append.',
    'RowsAppendChange.rows': 'The rows to append, in order.',
    'ToolCall.id': 'Names the call.',
    'ToolCall.type': 'What is called, such as `function`. Absent: a function.',
    'ToolCallFunction.name': toolName,
    'InternalThoughtProcessEvent.reasoning': 'What the loop makes of the moment, for people.',
    'InternalToolStartEvent.toolCallId': toolCallId,
    'InternalToolStartEvent.toolName': toolName,
    'InternalToolCompleteEvent.toolCallId': toolCallId,
    'InternalToolCompleteEvent.toolName': toolName,
    'InternalToolCompleteEvent.success': 'Whether the tool did what it was called for.',
  },
  decode: decodeEvent,
}

/** Every vocabulary the package publishes schemas of. */
export const dialects: readonly Dialect[] = [events]
