// Proves that independent validators compile the published files and validate the examples correctly. Python's is among those of
// `npm run test:languages`.
import {
  registerSchema,
  setShouldValidateFormat,
  unregisterSchema,
  validate,
} from '@hyperjump/json-schema/draft-2020-12'
import '@hyperjump/json-schema/draft-07'
import '@hyperjump/json-schema/formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { readText, SCHEMAS } from '../../scripts/schemas/files.ts'
import type { JsonSchema } from '../../src/cli/schema/json-schema.ts'
import { examplesOf, folders, invalidExamplesOf, type Verdicts, verdictsOn } from './examples.ts'
import { ajvJudge, type Judge } from './verdicts.ts'

const FILES = ['events.schema.json', 'events.open.schema.json', 'events.draft-07.schema.json'] as const

function read(folder: string, file: string): JsonSchema {
  return JSON.parse(readText(`${SCHEMAS}${folder}/${file}`) ?? '') as JsonSchema
}

/** The verdict of Hyperjump, which implements each draft from its meta-schema. */
async function hyperjumpJudge(schema: JsonSchema): Promise<Judge> {
  const { $id = '' } = schema
  setShouldValidateFormat(true)
  registerSchema(schema as Parameters<typeof registerSchema>[0])
  try {
    const validator = await validate($id)
    return (document) => validator(document as Parameters<typeof validator>[0]).valid
  } finally {
    unregisterSchema($id)
  }
}

describe.each(folders)('%s', (folder) => {
  const judgesOf: readonly [name: string, judge: (schema: JsonSchema) => Judge | Promise<Judge>][] = [
    ['Ajv, strict', ajvJudge],
    ['Hyperjump', hyperjumpJudge],
  ]

  test.each(judgesOf)('%s', async (_, judgeOf) => {
    const [normative, open, draft07] = await Promise.all(FILES.map((file) => judgeOf(read(folder, file))))
    const verdicts = (document: unknown): Partial<Verdicts> => ({
      normative: normative?.(document) ?? false,
      open: open?.(document) ?? false,
      draft07: draft07?.(document) ?? false,
    })
    for (const { path, group, value } of examplesOf(folder)) {
      expect(verdicts(value), path).toEqual(verdictsOn(group === 'unknown-kind' ? 'unknown' : 'known'))
    }
    for (const { path, value } of invalidExamplesOf(folder)) {
      expect(verdicts(value), path).toEqual(verdictsOn('invalid'))
    }
  })
})

test('instants are checked without formats, by their pattern', () => {
  const cases = readText(`${SCHEMAS}../conformance/decode/cases.jsonl`) ?? ''
  const instants = cases
    .trim()
    .split('\n')
    .map(
      (line) => JSON.parse(line) as { name: string; input: { value: unknown }; expected: { status: string } },
    )
    .filter(({ name }) => name.startsWith('an instant'))
  expect(instants.length).toBeGreaterThan(12)
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } })
  for (const file of [...FILES.slice(0, 2), 'events.codegen.json']) {
    const isValid = ajv.compile(read('events/1.0', file))
    for (const { name, input, expected } of instants)
      expect([name, isValid(input.value)]).toEqual([name, expected.status === 'known'])
    for (const { path, value } of invalidExamplesOf('events/1.0'))
      expect([path, isValid(value)]).toEqual([path, false])
  }
})
