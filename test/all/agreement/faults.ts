/** The faults of a document in one form, whoever found them: for each path one, with a code of the library. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema } from '../../../src/cli/schema/json-schema.ts'
import { toPointer } from '../../../src/encoding/pointer.ts'

export interface Fault {
  readonly code: string
  /** A JSON Pointer. */
  readonly path: string
}

/** A union fails as a whole, with or without the faults of its options. */
const UNION = 'union'

/** The codes of keywords. Of several at one place, the first counts. */
const codes: Readonly<Record<string, string>> = {
  anyOf: UNION,
  oneOf: UNION,
  const: 'invalid-value',
  enum: 'invalid-value',
  additionalProperties: 'invalid-value',
  required: 'missing',
  type: 'invalid-type',
  minItems: 'out-of-range',
  minLength: 'out-of-range',
  minimum: 'out-of-range',
  maximum: 'out-of-range',
  pattern: 'invalid-format',
  format: 'invalid-format',
}
const order = Object.keys(codes)

/** What a validator of JSON Schema found. */
export interface Failure {
  readonly keyword: string
  readonly path: string
}

export function faultsFrom(failures: readonly Failure[]): Fault[] {
  return failures
    .toSorted((a, b) => order.indexOf(a.keyword) - order.indexOf(b.keyword))
    .map(({ keyword, path }) => ({ code: codes[keyword] ?? keyword, path }))
}

/** Both lists as texts that are equal if they agree. Where one has a union, the other has it or faults within. */
export function agree(one: readonly Fault[], other: readonly Fault[]): boolean {
  const unions = [...one, ...other].filter(({ code }) => code === UNION).map(({ path }) => path)
  return textOf(one, unions) === textOf(other, unions)
}

function textOf(faults: readonly Fault[], unions: readonly string[]): string {
  const found = new Map<string, string>()
  for (const { code, path } of faults) {
    const union = unions.find((union) => path === union || path.startsWith(`${union}/`))
    if (union !== undefined) found.set(union, UNION)
    else if (!found.has(path)) found.set(path, code)
  }
  return [...found].sort().join(' ')
}

/** Judges values by the definitions of a schema with Ajv. */
export function ajvFaults(schema: JsonSchema): (definition: string, value: unknown) => Fault[] {
  const ajv = new Ajv2020({ strict: true, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(schema)
  return (definition, value) => {
    const validate = ajv.getSchema(`${schema.$id}#/$defs/${definition}`)
    if (validate === undefined) throw new Error(`The schema has no ${definition}.`)
    if (validate(value) === true) return []
    const failures = (validate.errors ?? []).map(({ keyword, instancePath, params }) => ({
      keyword,
      path: keyword === 'required' ? instancePath + toPointer([params.missingProperty]) : instancePath,
    }))
    return faultsFrom(failures)
  }
}
