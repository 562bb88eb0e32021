/** ajv, as code generated ahead of time (“standalone”). */
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { type Field, type Fields, kinds, mapFields, time } from './kinds.ts'

const schemas: Readonly<Record<Field, object>> = {
  text: { type: 'string' },
  id: { type: 'string', minLength: 1 },
  count: { type: 'integer', minimum: 0 },
  fraction: { type: 'number', minimum: 0, maximum: 1 },
  flag: { type: 'boolean' },
  time: { type: 'string', pattern: time.source },
  object: { type: 'object' },
  any: {},
}

type Validate = (value: unknown) => boolean

/** Kind → its generated function. */
const validators = new Map(Object.entries(kinds).map(([kind, fields]) => [kind, compile(fields)]))

function compile(fields: Fields): Validate {
  const required = Object.entries(fields).filter(([, type]) => !type.endsWith('?'))
  const schema = {
    type: 'object',
    properties: mapFields(fields, (field) => schemas[field]),
    required: ['kind', ...required.map(([name]) => name)],
  }
  const ajv = new Ajv({ code: { source: true } })
  const generate = (standalone as unknown as { default?: typeof standalone }).default ?? standalone
  const code = (generate as unknown as (ajv: Ajv, validate: unknown) => string)(ajv, ajv.compile(schema))
  const module = { exports: {} as Validate }
  new Function('module', 'exports', 'require', code)(module, {}, createRequire(import.meta.url))
  return module.exports
}

/** The value, if it is an event of one of the kinds. */
export function parseWithAjv(value: { readonly kind: string }): object {
  if (validators.get(value.kind)?.(value) === true) return value
  throw new Error(`ajv rejects ${JSON.stringify(value)}.`)
}
