/** The JSON Schema of the view with everything that it refers to. */
import type { JsonSchema } from './json-schema.ts'

const REF = /"\$ref":"[^"#]*#\/\$defs\/([^"]+)"/g

/**
 * The schema of the view with the definitions of events that it refers to.
 *
 * @param events - The schema of the events.
 */
export function bundledView(view: JsonSchema, events: JsonSchema): JsonSchema {
  const defs: Record<string, JsonSchema> = { ...view.$defs }
  const open = [JSON.stringify(view)]
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    for (const [, name = ''] of text.matchAll(REF)) {
      const definition = events.$defs?.[name]
      if (Object.hasOwn(defs, name) || definition === undefined) continue
      defs[name] = definition
      open.push(JSON.stringify(definition))
    }
  }
  const text = JSON.stringify({ ...view, $defs: defs })
  return JSON.parse(text.replace(REF, '"$ref":"#/$defs/$1"')) as JsonSchema
}
