/**
 * The JSON Schema of the view, from its type: `schemas/view/<version>/view.schema.json`. What the view takes from events
 * refers to their schema.
 */
import { fileURLToPath } from 'node:url'
import { generateSchema, getProgramFromFiles } from 'typescript-json-schema'
import { type JsonSchema, mapSchema } from '../../src/cli/schema/json-schema.ts'
import { PROTOCOL_VERSION } from '../../src/events/version.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The folder of the schema below `schemas/`. */
export const viewFolder: string = `view/${PROTOCOL_VERSION}`
/** The path of the schema below `schemas/`. */
export const viewSchemaPath: string = `${viewFolder}/view.schema.json`

/** The names of definitions that the types have no name for. */
const NAMES: Readonly<Record<string, string>> = {
  'Omit<InputRequiredEvent,"kind"|"timestamp"|"inputId">': 'InputRequest',
  'Omit<AuthRequiredEvent,"kind"|"timestamp"|"authId">': 'AuthRequest',
  'Pick<InputReceivedEvent,"metadata"|"providedBy"|"userId"|"agentId">': 'InputAnswer',
  'CustomPartFields<string,unknown>': 'CustomPart',
  'Record<string,unknown>': 'AnyObject',
  'Record<string,string>': 'Texts',
  '{readonly[key:string]:JsonValue|undefined;}': 'JsonObject',
}

/** Generates the schema. `events` is that of the events. */
export function viewSchema(events: JsonSchema): JsonSchema {
  const program = getProgramFromFiles(
    [`${ROOT}src/streams/view/view.ts`],
    {
      ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2022', lib: ['es2022'], types: [] },
      ...{ strict: true, exactOptionalPropertyTypes: true, allowImportingTsExtensions: true },
      ...{ skipLibCheck: true, noEmit: true },
    },
    ROOT,
  )
  const generated = generateSchema(program, 'View', { required: true, ignoreErrors: true })
  if (generated === null) throw new Error('No schema could be read of View.')
  const {
    definitions = {},
    $schema: _,
    ...view
  } = generated as JsonSchema & {
    readonly definitions?: Readonly<Record<string, JsonSchema>>
  }
  const own = Object.entries(definitions).filter(([name]) => !Object.hasOwn(events.$defs ?? {}, name))
  const names = new Set(own.map(([name]) => name))
  const readable = (schema: JsonSchema): JsonSchema =>
    mapSchema(schema, ({ $ref, description, ...rest }) => {
      const name = decodeURIComponent($ref?.replace('#/definitions/', '') ?? '')
      return {
        ...(description !== undefined && {
          description: description.replace(/\{@link ([^}]+)\}/g, '`$1`').replace(/\n/g, ' '),
        }),
        ...rest,
        ...(rest.type === 'number' &&
          /\b(?:index|position|version)\b/i.test(description ?? '') && { type: 'integer' }),
        ...($ref !== undefined && {
          $ref: names.has(name)
            ? `#/$defs/${NAMES[name] ?? name}`
            : `../../events/${PROTOCOL_VERSION}/events.schema.json#/$defs/${name}`,
        }),
      }
    })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:turnstream:view:${PROTOCOL_VERSION}`,
    title: 'View',
    ...readable(view),
    $defs: Object.fromEntries(own.map(([name, schema]) => [NAMES[name] ?? name, readable(schema)])),
  } as JsonSchema
}
