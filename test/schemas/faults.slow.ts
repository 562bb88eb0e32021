// Proves that the twin tests detect differences: each fault injected into either side is found.
import { beforeAll, describe, expect, test } from 'vitest'
import { dialects } from '../../scripts/schemas/dialects.ts'
import { publish } from '../../scripts/schemas/files.ts'
import type { JsonSchema } from '../../src/cli/schema/json-schema.ts'
import { declaredSchemas, type Edit } from './declared.ts'
import { harvest } from './documents.ts'
import {
  ajvJudge,
  disagreement,
  erased,
  erasedJudge,
  eventsIn,
  type Judge,
  membersOf,
  validatorJudge,
} from './verdicts.ts'

/** A fixed seed, so that results are reproducible. */
const OPTIONS = { runs: 800, seed: 20260314 }

let normative: JsonSchema
let validators: Judge

beforeAll(() => {
  const published = publish().find(({ dialect }) => dialect.name === 'events')
  if (published === undefined) throw new Error('The events are not published.')
  normative = published.normative
  validators = validatorJudge(published.dialect)
}, 120_000)

type Fault = readonly [what: string, type: string, edit: Edit]

const inType = (file: string, type: string, from: string, to: string): Edit => ({
  file: `events/${file}`,
  after: `interface ${type} `,
  from,
  to,
})

/** One fault per type, so that one pass over the declarations covers all of them. */
const declaredFaults: readonly Fault[] = [
  [
    'optional field forgotten',
    'ContentCompleteEvent',
    inType('content', 'ContentCompleteEvent', 'finishReason?: string;', ''),
  ],
  [
    'required field forgotten',
    'ToolArgumentsDeltaEvent',
    inType('tool', 'ToolArgumentsDeltaEvent', 'delta: string;', ''),
  ],
  [
    'enum member too many',
    'AuthFailedEvent',
    inType('auth', 'AuthFailedEvent', "'denied' |", "'denied' | 'lost' |"),
  ],
  ['enum member missing', 'InputCanceledEvent', inType('input', 'InputCanceledEvent', "| 'withdrawn'", '')],
  [
    'optional instead of required',
    'ThoughtDeltaEvent',
    inType('thought', 'ThoughtDeltaEvent', 'thoughtId: string;', 'thoughtId?: string;'),
  ],
  [
    'required instead of optional',
    'SubtaskCreatedEvent',
    inType('subtask', 'SubtaskCreatedEvent', 'agentId?: string;', 'agentId: string;'),
  ],
  [
    'another type',
    'InternalCheckpointEvent',
    inType('internal', 'InternalCheckpointEvent', 'iteration: number;', 'iteration: string;'),
  ],
  [
    'required field too many',
    'InternalLlmCallEvent',
    inType('internal', 'InternalLlmCallEvent', 'model: string;', 'model: string; extra: number;'),
  ],
  [
    'optional field too many',
    'InternalToolStartEvent',
    inType(
      'internal',
      'InternalToolStartEvent',
      'toolName: string;',
      'toolName: string; diagnostic?: number;',
    ),
  ],
  [
    'item instead of list',
    'TaskCompleteEvent',
    inType('task', 'TaskCompleteEvent', 'artifacts?: string[];', 'artifacts?: string;'),
  ],
  [
    'list of something else',
    'AuthRequiredEvent',
    inType('auth', 'AuthRequiredEvent', 'scopes?: string[];', 'scopes?: number[];'),
  ],
  [
    'null allowed',
    'ToolProgressEvent',
    inType('tool', 'ToolProgressEvent', 'message?: string;', 'message?: string | null;'),
  ],
  [
    'nested field',
    'TaskErrorEvent',
    inType('error', 'ErrorInfo', "scope?: 'tool' |", "scope?: 'turn' | 'tool' |"),
  ],
  [
    'well-known metadata',
    'ToolCompleteEvent',
    inType('tool', 'ToolCompleteMetadata', 'cached?: boolean;', 'cached?: string;'),
  ],
  [
    'nested union too small',
    'ArtifactDeltaEvent',
    { file: 'events/artifact-change', after: 'type ArtifactChange', from: '| RowsAppendChange', to: '' },
  ],
  [
    'kind missing',
    'DataWriteEvent',
    { file: 'events/events.generated', after: 'type ExternalEvent', from: '| DataWriteEvent', to: '' },
  ],
  [
    'another kind',
    'InternalToolCompleteEvent',
    inType('internal', 'InternalToolCompleteEvent', "'internal:tool-complete'", "'internal:tool-completed'"),
  ],
  [
    'object instead of any value',
    'DatasetWriteEvent',
    inType('artifact', 'DatasetWriteEvent', 'rows: Record<string, unknown>[];', 'rows: unknown[];'),
  ],
]

describe('faults in the declared types', () => {
  let faulty: JsonSchema
  let sound: JsonSchema
  let judges: readonly [Judge, Judge]

  beforeAll(() => {
    const type = dialects.find(({ name }) => name === 'events')?.type
    if (type === undefined) throw new Error('The events are not published.')
    const edits = declaredFaults.map(([, , edit]) => edit)
    ;[faulty = {}] = declaredSchemas([type], edits)
    sound = erased(normative)
    judges = [erasedJudge(normative), erasedJudge(faulty)]
  }, 120_000)

  test.each(declaredFaults)('%s: %s', (_, type) => {
    const sides = [sound, ...(hasType(faulty, type) ? [faulty] : [])]
    expect(isFound(sides, type, judges)).toBe(true)
  })

  test('no fault is found in unedited types', () => {
    const types = (normative.oneOf ?? []).map(({ $ref = '' }) => $ref.replace('#/$defs/', ''))
    // With another kind, the event of a reset is that of a checkpoint.
    const also = ['TaskStatusEvent', 'IterationResetEvent']
    const touched = new Set<string>([...declaredFaults.map(([, type]) => type), ...also])
    const events = eventsIn(sound)
    const material = harvest([normative])
    const blamed = types
      .filter((type) => !touched.has(type))
      .filter((type) => disagreement(events(type), material, judges, { ...OPTIONS, runs: 50 }) !== undefined)
    expect(blamed).toEqual([])
  })
})

type SchemaFault = readonly [what: string, type: string, change: (def: JsonSchema, root: JsonSchema) => void]

const field = (def: JsonSchema, key: string): JsonSchema => def.properties?.[key] ?? {}

const publishedFaults: readonly SchemaFault[] = [
  [
    'bound too wide',
    'ToolProgressEvent',
    (def) => {
      field(def, 'progress').maximum = 100
    },
  ],
  [
    'bound missing',
    'ContentDeltaEvent',
    (def) => {
      delete field(def, 'index').minimum
    },
  ],
  [
    'bound of 2^53 missing',
    'FileWriteEvent',
    (def) => {
      delete field(def, 'indexEnd').maximum
    },
  ],
  [
    'empty id allowed',
    'SubtaskCreatedEvent',
    (def) => {
      delete field(def, 'subtaskId').minLength
    },
  ],
  [
    'any text for an instant',
    'TaskCreatedEvent',
    (def) => {
      delete field(def, 'timestamp').format
      delete field(def, 'timestamp').pattern
    },
  ],
  [
    'any text for a digest',
    'FileWriteEvent',
    (def) => {
      delete field(def, 'digest').pattern
    },
  ],
  [
    'fractions allowed',
    'InternalCheckpointEvent',
    (def) => {
      field(def, 'iteration').type = 'number'
    },
  ],
  [
    'required field optional',
    'AuthCompletedEvent',
    (def) => {
      def.required = def.required?.filter((key) => key !== 'userId') ?? []
    },
  ],
  [
    'optional field required',
    'InputReceivedEvent',
    (def) => {
      def.required = [...(def.required ?? []), 'userId']
    },
  ],
  [
    'enum member too many',
    'TaskStatusEvent',
    (_, root) => {
      root.$defs?.TaskStatus?.enum?.push('paused')
    },
  ],
  [
    'enum member missing',
    'ThoughtStreamEvent',
    (_, root) => {
      root.$defs?.ThoughtType?.enum?.pop()
    },
  ],
  [
    'object closed',
    'ToolStartEvent',
    (def) => {
      def.additionalProperties = false
    },
  ],
  [
    'field forgotten',
    'InternalToolCompleteEvent',
    (def) => {
      delete def.properties?.error
    },
  ],
  [
    'null allowed',
    'ContentCompleteEvent',
    (def) => {
      field(def, 'finishReason').type = ['string', 'null']
    },
  ],
  [
    'any value instead of an object',
    'DataWriteEvent',
    (def) => {
      delete field(def, 'data').type
    },
  ],
  [
    'kind missing',
    'InputRequiredEvent',
    (_, root) => {
      root.oneOf = root.oneOf?.filter(({ $ref }) => $ref !== '#/$defs/InputRequiredEvent') ?? []
    },
  ],
  [
    'nested bound',
    'TaskErrorEvent',
    (_, root) => {
      field(root.$defs?.ErrorInfo ?? {}, 'attempt').minimum = 0
    },
  ],
  [
    'metadata closed',
    'DatasetWriteEvent',
    (_, root) => {
      ;(root.$defs?.DatasetWriteMetadata ?? {}).additionalProperties = false
    },
  ],
]

describe('faults in the published schema', () => {
  test.each(publishedFaults)('%s: %s', (_, type, change) => {
    const faulty = structuredClone(normative)
    change(faulty.$defs?.[type] ?? {}, faulty)
    expect(isFound([normative, faulty], type, [validators, looseJudge(faulty)])).toBe(true)
  })
})

/** Whether the validators disagree on some document generated from either side. */
function isFound(sides: readonly JsonSchema[], type: string, judges: readonly [Judge, Judge]): boolean {
  const material = harvest(sides)
  return sides.some((root) => disagreement(eventsIn(root)(type), material, judges, OPTIONS) !== undefined)
}

function hasType(root: JsonSchema, type: string): boolean {
  return JSON.stringify(membersOf(root)).includes(`"#/definitions/${type}"`)
}

/** A faulty schema need not pass the strict mode of Ajv. */
function looseJudge(schema: JsonSchema): Judge {
  try {
    return ajvJudge(schema)
  } catch {
    return erasedJudge(schema)
  }
}
