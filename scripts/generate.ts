/** Part of `npm run gen`: writes what is derived from the records and schemas. `--check` fails when it is stale. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandEnvelopeSchema, commandSchemas } from '../src/commands/records/schemas.ts'
import { a2aV03Schemas } from '../src/dialects/a2a/wire/schemas-v0-3.ts'
import { a2aV1Schemas } from '../src/dialects/a2a/wire/schemas-v1.ts'
import { agUiEvent } from '../src/dialects/ag-ui/wire/schemas/events.ts'
import { agUiRunInput } from '../src/dialects/ag-ui/wire/schemas/parts.ts'
import {
  envelopeSchema as agentEnvelopeSchema,
  agentEventSchemas,
  toolEventSchemas,
} from '../src/dialects/agent-event/wire/schemas.ts'
import { frameV1EnvelopeSchema, frameV2EnvelopeSchema } from '../src/dialects/frames/wire/schemas/envelope.ts'
import { frameBodySchemas } from '../src/dialects/frames/wire/schemas/index.ts'
import { sessionEnvelopeSchema, sessionEventSchemas } from '../src/dialects/session/wire/schemas/index.ts'
import { clientHeartbeatSchema } from '../src/dialects/session/wire/schemas/system.ts'
import { errorInfo } from '../src/events/records/error.ts'
import { byTag } from '../src/events/records/fields.ts'
import { contextSchema, envelopeSchema, eventSchemas } from '../src/events/records/schemas.ts'
import { documentedFiles } from './doc-examples.ts'
import { eventTypes, kindTables } from './generate-kinds.ts'
import { filesToInherit } from './schemas/inherit.ts'
import { writeShapes } from './write-shapes.ts'
import { writeTypes } from './write-types.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

/** What a module is written from, by the start of its path: the first that fits. */
const origins: readonly (readonly [start: string, from: string])[] = [
  ['src/events/', 'the zod schemas in src/events/records'],
  ['src/commands/', 'the zod schemas in src/commands/records'],
  ['src/dialects/a2a/', 'the zod schemas in schemas-v0-3.ts and schemas-v1.ts beside it'],
  ['src/dialects/ag-ui/', 'the zod schemas in the folder schemas beside it'],
  ['src/dialects/frames/', 'the zod schemas in the folder schemas beside it'],
  ['src/dialects/session/', 'the zod schemas in the folder schemas beside it'],
  ['src/dialects/', 'the zod schemas in schemas.ts beside it'],
]

/** Path → content of every generated file. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const modules = [...generatedModules()].map(([path, code]) => {
    const from = origins.find(([start]) => path.startsWith(start))?.[1] ?? ''
    const head = `// Written by \`npm run gen\` (scripts/generate.ts) from ${from}. Do not edit.\n`
    return [path, head + code] as const
  })
  return new Map([...modules, ...documentedFiles()])
}

function generatedModules(): ReadonlyMap<string, string> {
  return new Map([
    ['src/events/kinds.generated.ts', kindTables()],
    ['src/events/events.generated.ts', eventTypes()],
    [
      'src/events/shapes.generated.ts',
      writeShapes(
        [
          {
            name: 'eventShapes',
            documentation: 'The fields of each kind besides `kind`, without context.',
            schemas: eventSchemas,
            except: 'kind',
          },
          { name: 'contextShape', documentation: 'The fields of the context.', schemas: contextSchema },
          {
            name: 'envelopeShape',
            documentation: 'The fields of an event of any kind.',
            schemas: envelopeSchema,
          },
        ],
        '../validation',
      ),
    ],
    [
      'src/commands/shapes.generated.ts',
      writeShapes(
        [
          {
            name: 'commandShapes',
            documentation: 'The fields of each kind of command besides `kind`.',
            schemas: commandSchemas,
            except: 'kind',
          },
          {
            name: 'commandEnvelopeShape',
            documentation: 'The fields of a command of any kind.',
            schemas: commandEnvelopeSchema,
          },
        ],
        '../validation',
      ),
    ],
    types('src/dialects/agent-event/wire', ['schemas.ts']),
    [
      'src/dialects/agent-event/wire/shapes.generated.ts',
      writeShapes(
        [
          {
            name: 'agentEventShapes',
            documentation: 'The fields of each type of AgentEvent besides `type`.',
            schemas: agentEventSchemas,
            except: 'type',
          },
          {
            name: 'toolEventShapes',
            documentation: 'The fields of each type of ToolEvent besides `type`.',
            schemas: toolEventSchemas,
            except: 'type',
          },
          {
            name: 'envelopeShape',
            documentation: 'The fields of an event of any type.',
            schemas: agentEnvelopeSchema,
          },
        ],
        '../../../validation',
      ),
    ],
    types('src/dialects/frames/wire', ['schemas']),
    [
      'src/dialects/frames/wire/shapes.generated.ts',
      writeShapes(
        [
          {
            name: 'frameBodyShapes',
            documentation: 'The fields of each type of frame besides `type` and the envelope.',
            schemas: frameBodySchemas,
            except: 'type',
          },
          {
            name: 'v1EnvelopeShape',
            documentation: 'The fields of the envelope of version 1.',
            schemas: frameV1EnvelopeSchema,
          },
          {
            name: 'v2EnvelopeShape',
            documentation: 'The fields of the envelope of version 2.',
            schemas: frameV2EnvelopeSchema,
          },
        ],
        '../../../validation',
      ),
    ],
    types('src/dialects/session/wire', ['schemas']),
    [
      'src/dialects/session/wire/shapes.generated.ts',
      writeShapes(
        [
          {
            name: 'sessionEventShapes',
            documentation: 'The fields of each event besides `event`.',
            schemas: sessionEventSchemas,
            except: 'event',
          },
          {
            name: 'clientHeartbeatShape',
            documentation: 'The fields of the heartbeat of a client.',
            schemas: clientHeartbeatSchema,
            except: 'event',
          },
          {
            name: 'sessionEnvelopeShape',
            documentation: 'The fields of an event of any name.',
            schemas: sessionEnvelopeSchema,
          },
        ],
        '../../../validation',
      ),
    ],
    types('src/dialects/ag-ui/wire', ['schemas']),
    [
      'src/dialects/ag-ui/wire/shapes.generated.ts',
      writeShapes(
        [
          {
            name: 'eventShapes',
            documentation: 'The fields of each type of event besides `type`.',
            schemas: byTag('type', [agUiEvent]),
            except: 'type',
          },
          {
            name: 'runInputShape',
            documentation: 'The fields of the request of a client.',
            schemas: agUiRunInput,
          },
        ],
        '../../../validation',
      ),
    ],
    types('src/dialects/a2a/wire', ['schemas-v0-3.ts', 'schemas-v1.ts']),
    [
      'src/dialects/a2a/wire/shapes.generated.ts',
      writeShapes(
        [
          {
            name: 'v03Shapes',
            documentation: 'The fields of each kind of item of 0.3.',
            schemas: a2aV03Schemas,
          },
          {
            name: 'v1Shapes',
            documentation: 'The fields of each member of an item of 1.0.',
            schemas: a2aV1Schemas,
          },
          {
            name: 'errorInfoShape',
            documentation: 'The fields of an `ErrorInfo`.',
            schemas: errorInfo,
          },
        ],
        '../../../validation',
      ),
    ],
  ])
}

/** The types of the schemas in files or folders of `wire`. */
function types(wire: string, schemas: readonly string[]): [path: string, code: string] {
  const files = schemas.flatMap((name) =>
    name.endsWith('.ts')
      ? [`${wire}/${name}`]
      : readdirSync(`${root}${wire}/${name}`).map((file) => `${wire}/${name}/${file}`),
  )
  return [`${wire}/types.generated.ts`, writeTypes(`${wire}/types.generated.ts`, files)]
}

function main(): void {
  const stale = renew(filesToInherit())
  // Examples are copied into the sources, so the inherited ones come first.
  if (stale.length === 0) stale.push(...renew(generatedFiles()))
  if (stale.length > 0) {
    console.error(`Stale, run \`npm run gen\`: ${stale.join(', ')}`)
    process.exitCode = 1
  }
}

/** Writes files; with `--check`, returns those that are stale instead. */
function renew(files: ReadonlyMap<string, string>): string[] {
  const stale: string[] = []
  for (const [path, content] of files) {
    const file = root + path
    if (existsSync(file) && readFileSync(file, 'utf8') === content) continue
    if (process.argv.includes('--check')) stale.push(path)
    else {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
  }
  return stale
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
