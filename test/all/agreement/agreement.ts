/** Judges many documents of a vocabulary by every validator there is. Printed: one JSON object a vocabulary. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { shapeOf } from '../../../scripts/describe-schema.ts'
import { type Published, publish, SCHEMAS } from '../../../scripts/schemas/files.ts'
import { isSchema, type JsonSchema } from '../../../src/cli/schema/json-schema.ts'
import type { Schema } from '../../../src/core/schema.ts'
import { issuesOf } from '../../../src/validation/read.ts'
import { harvest, mutated } from '../../schemas/documents.ts'
import { ajvJudge, eventsIn, type Judge, validatorJudge } from '../../schemas/verdicts.ts'
import { firstFault } from '../../support/zod-oracle.ts'
import { deviations } from './deviations.ts'

const [count = '', temporary = '', python = '', seed = ''] = process.argv.slice(2)

for (const published of publish()) {
  console.log(JSON.stringify(agreement(published, Number(count), Number(seed))))
}

function agreement({ dialect, folder, normative, files }: Published, numRuns: number, seed: number): object {
  const { types } = JSON.parse(files.get('meta.json') ?? '') as { types: Record<string, string> }
  const events = fc.oneof(...Object.values(types).map(eventsIn(normative)))
  const material = harvest([normative])
  const once = mutated(events, material)
  const arbitrary = fc.oneof(
    { weight: 1, arbitrary: events },
    { weight: 3, arbitrary: once },
    mutated(once, material),
  )
  const documents = fc.sample(arbitrary, { numRuns, seed }).map((value) => JSON.stringify(value))

  const expected = documents.map((text) => validatorJudge(dialect)(JSON.parse(text)))
  const wrong: string[] = []
  const compare = (validator: string, verdicts: readonly boolean[]): void => {
    const known = deviations.filter((each) => each.validator === validator)
    documents.forEach((text, i) => {
      if (verdicts[i] === expected[i] || known.some(({ applies }) => applies(text))) return
      wrong.push(`${validator} on ${text}`)
    })
  }
  const shapes = new Map<string, ReturnType<typeof shapeIfAny>>()
  const byJudge = (judge: Judge): boolean[] => documents.map((text) => judge(JSON.parse(text)))
  const schemaFile = (name: string): string => `${SCHEMAS}${folder}/${name}`
  const draft07 = JSON.parse(files.get('events.draft-07.schema.json') ?? '') as JsonSchema
  compare('ajv 2020-12', byJudge(ajvJudge(normative)))
  compare('ajv draft-07', byJudge(ajvJudge(draft07)))
  for (const text of documents) if (faultsDiffer(text)) wrong.push(`walker on ${text}`)
  if (python !== '') {
    const list = join(temporary, 'documents.jsonl')
    writeFileSync(list, documents.join('\n'))
    const script = fileURLToPath(new URL('judge.py', import.meta.url))
    for (const name of ['events.schema.json', 'events.draft-07.schema.json']) {
      const out = execFileSync(python, [script, schemaFile(name), list], {
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      })
      compare(
        'jsonschema',
        [...out.trim()].map((verdict) => verdict === '1'),
      )
    }
  }
  return {
    folder,
    documents: documents.length,
    valid: expected.filter(Boolean).length,
    wrong: wrong.slice(0, 5),
  }

  /** Whether walker and zod differ in the first fault of a document of a known type. */
  function faultsDiffer(text: string): boolean {
    const value: unknown = JSON.parse(text)
    const tag = isSchema(value) ? value[dialect.tag] : undefined
    if (typeof tag !== 'string' || !Object.hasOwn(dialect.schemas, tag)) return false
    const schema = dialect.schemas[tag]
    if (schema === undefined) return false
    if (!shapes.has(tag)) shapes.set(tag, shapeIfAny(schema))
    const shape = shapes.get(tag)
    if (shape === undefined) return false
    const [issue] = issuesOf(shape, value, { nullIsAbsent: false })
    const fault = tryFault(schema as Schema<unknown>, value)
    if (fault === 'throws') return false
    return issue?.code !== fault?.code || issue?.path !== fault?.path
  }
}

/** The shape of a schema; `undefined` if the walker does not check it, as with the messages of streams. */
function shapeIfAny(schema: Parameters<typeof shapeOf>[0]): ReturnType<typeof shapeOf> | undefined {
  try {
    return shapeOf(schema)
  } catch {
    return undefined
  }
}

/** zod throws on some values. */
function tryFault(...args: Parameters<typeof firstFault>): ReturnType<typeof firstFault> | 'throws' {
  try {
    return firstFault(...args)
  } catch {
    return 'throws'
  }
}
