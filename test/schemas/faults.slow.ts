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

/** A change in the declaration of a type. */
const inType = (
  what: string,
  file: string,
  type: string,
  from: string,
  to: string,
  declared: string = type,
): Fault => [what, type, { file: `events/${file}`, after: `interface ${declared} `, from, to }]

/** One fault per type, so that one pass over the declarations covers all of them. */
const declaredFaults: readonly Fault[] = [
  inType('optional field forgotten', 'content', 'ContentCompleteEvent', 'finishReason?: string;', ''),
  inType('required field forgotten', 'tool', 'ToolArgumentsDeltaEvent', 'delta: string;', ''),
  inType('enum member too many', 'auth', 'AuthFailedEvent', "'denied' |", "'denied' | 'lost' |"),
  inType('enum member missing', 'input', 'InputCanceledEvent', "| 'withdrawn'", ''),
  inType(
    'optional instead of required',
    'thought',
    'ThoughtDeltaEvent',
    'thoughtId: string;',
    'thoughtId?: string;',
  ),
  inType(
    'required instead of optional',
    'subtask',
    'SubtaskCreatedEvent',
    'agentId?: string;',
    'agentId: string;',
  ),
  inType('another type', 'internal', 'InternalCheckpointEvent', 'iteration: number;', 'iteration: string;'),
  inType(
    'required field too many',
    'internal',
    'InternalLlmCallEvent',
    'model: string;',
    'model: string; extra: number;',
  ),
  inType(
    'optional field too many',
    'internal',
    'InternalToolStartEvent',
    'toolName: string;',
    'toolName: string; diagnostic?: number;',
  ),
  inType('item instead of list', 'task', 'TaskCompleteEvent', 'artifacts?: string[];', 'artifacts?: string;'),
  inType('list of something else', 'auth', 'AuthRequiredEvent', 'scopes?: string[];', 'scopes?: number[];'),
  inType('null allowed', 'tool', 'ToolProgressEvent', 'message?: string;', 'message?: string | null;'),
  inType(
    'nested field',
    'error',
    'TaskErrorEvent',
    "scope?: 'tool' |",
    "scope?: 'turn' | 'tool' |",
    'ErrorInfo',
  ),
  inType(
    'well-known metadata',
    'tool',
    'ToolCompleteEvent',
    'cached?: boolean;',
    'cached?: string;',
    'ToolCompleteMetadata',
  ),
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
  inType(
    'another kind',
    'internal',
    'InternalToolCompleteEvent',
    "'internal:tool-complete'",
    "'internal:tool-completed'",
  ),
  inType(
    'object instead of any value',
    'artifact',
    'DatasetWriteEvent',
    'rows: Record<string, unknown>[];',
    'rows: unknown[];',
  ),
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
  ['bound too wide', 'ToolProgressEvent', (def) => Object.assign(field(def, 'progress'), { maximum: 100 })],
  ['bound missing', 'ContentDeltaEvent', (def) => delete field(def, 'index').minimum],
  ['bound of 2^53 missing', 'FileWriteEvent', (def) => delete field(def, 'indexEnd').maximum],
  ['empty id allowed', 'SubtaskCreatedEvent', (def) => delete field(def, 'subtaskId').minLength],
  [
    'any text for an instant',
    'TaskCreatedEvent',
    (def) => {
      delete field(def, 'timestamp').format
      delete field(def, 'timestamp').pattern
    },
  ],
  ['any text for a digest', 'FileWriteEvent', (def) => delete field(def, 'digest').pattern],
  [
    'fractions allowed',
    'InternalCheckpointEvent',
    (def) => Object.assign(field(def, 'iteration'), { type: 'number' }),
  ],
  [
    'required field optional',
    'AuthCompletedEvent',
    (def) => Object.assign(def, { required: def.required?.filter((key) => key !== 'userId') ?? [] }),
  ],
  [
    'optional field required',
    'InputReceivedEvent',
    (def) => Object.assign(def, { required: [...(def.required ?? []), 'userId'] }),
  ],
  ['enum member too many', 'TaskStatusEvent', (_, root) => root.$defs?.TaskStatus?.enum?.push('paused')],
  ['enum member missing', 'ThoughtStreamEvent', (_, root) => root.$defs?.ThoughtType?.enum?.pop()],
  ['object closed', 'ToolStartEvent', (def) => Object.assign(def, { additionalProperties: false })],
  ['field forgotten', 'InternalToolCompleteEvent', (def) => delete def.properties?.error],
  [
    'null allowed',
    'ContentCompleteEvent',
    (def) => Object.assign(field(def, 'finishReason'), { type: ['string', 'null'] }),
  ],
  ['any value instead of an object', 'DataWriteEvent', (def) => delete field(def, 'data').type],
  [
    'kind missing',
    'InputRequiredEvent',
    (_, root) =>
      Object.assign(root, {
        oneOf: root.oneOf?.filter(({ $ref }) => $ref !== '#/$defs/InputRequiredEvent') ?? [],
      }),
  ],
  [
    'nested bound',
    'TaskErrorEvent',
    (_, root) => Object.assign(field(root.$defs?.ErrorInfo ?? {}, 'attempt'), { minimum: 0 }),
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
