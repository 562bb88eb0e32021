/** Part of `npm run gen`: writes what is derived from the records and schemas. `--check` fails when it is stale. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  envelopeSchema as agentEnvelopeSchema,
  agentEventSchemas,
  toolEventSchemas,
} from '../src/dialects/agent-event/wire/schemas.ts'
import { contextEnvelopeSchema, contextSchema, envelopeSchema, eventSchemas } from '../src/events/schemas.ts'
import { documentedFiles } from './doc-examples.ts'
import { generateChecks } from './generate-checks.ts'
import { eventTypes, kindTables } from './generate-kinds.ts'
import { filesToInherit } from './schemas/inherit.ts'
import { writeShapes } from './write-shapes.ts'

/** Path → content of every generated file. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['src/events/kinds.generated.ts', kindTables()],
    ['src/events/events.generated.ts', eventTypes()],
    [
      'src/events/checks.generated.ts',
      generateChecks({
        tag: 'kind',
        specs: Object.entries(eventSchemas).map(([tag, schema]) => ({ tag, schema })),
        dispatcher: 'checkEvent',
        envelope: { name: 'checkContext', schema: contextSchema, isInlined: true },
        helpers: '../validation/predicates.ts',
      }),
    ],
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
          {
            name: 'contextEnvelopeShape',
            documentation: 'The fields of an event of any kind, with context.',
            schemas: contextEnvelopeSchema,
          },
        ],
        '../validation/shape.ts',
      ),
    ],
    [
      'src/dialects/agent-event/wire/checks.generated.ts',
      generateChecks({
        tag: 'type',
        specs: Object.entries({ ...agentEventSchemas, ...toolEventSchemas }).map(([tag, schema]) => ({
          tag,
          schema,
        })),
        dispatcher: 'checkByType',
        envelope: { name: 'checkEnvelope', schema: agentEnvelopeSchema },
        helpers: '../../../validation/predicates.ts',
      }),
    ],
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
        '../../../validation/shape.ts',
      ),
    ],
    ...documentedFiles(),
  ])
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
    const file = fileURLToPath(new URL(`../${path}`, import.meta.url))
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
