/** Judges many documents of a vocabulary by every validator there is. Printed: one JSON object a vocabulary. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { shapeOf } from '../../../scripts/describe-schema.ts'
import { type Published, publish, SCHEMAS } from '../../../scripts/schemas/files.ts'
import { isSchema, type JsonSchema } from '../../../src/cli/schema/json-schema.ts'
import { toPointer } from '../../../src/encoding/pointer.ts'
import { issuesOf } from '../../../src/validation/read.ts'
import { MAX_ISSUES } from '../../../src/validation/report.ts'
import type { Shape } from '../../../src/validation/shape.ts'
import { harvest, mutated } from '../../schemas/documents.ts'
import { ajvJudge, eventsIn, validatorJudge } from '../../schemas/verdicts.ts'
import { firstFault } from '../../support/zod-oracle.ts'
import { deviations } from './deviations.ts'
import { agree, ajvFaults, type Fault, faultsFrom } from './faults.ts'

const [count = '', temporary = '', python = '', seed = ''] = process.argv.slice(2)

/** Making a document takes longer than judging it: each is changed so many times. */
const MUTANTS = 8

/** Every so many documents are also judged by the whole schema and the older draft, which take ten times as long. */
const SAMPLE = 50

for (const published of publish()) {
  console.log(JSON.stringify(agreement(published, Number(count), Number(seed))))
}

function agreement({ dialect, folder, normative, files }: Published, count: number, seed: number): object {
  const { types } = JSON.parse(files.get('meta.json') ?? '') as { types: Record<string, string> }
  const documents = documentsOf(normative, Object.values(types), count, seed)
  const draft07 = JSON.parse(files.get('events.draft-07.schema.json') ?? '') as JsonSchema
  const judge = validatorJudge(dialect)
  const shapes = new Map(
    Object.entries(dialect.schemas).map(([tag, schema]) => [tag, shapeIfAny(schema)] as const),
  )
  const wrong: string[] = []
  let valid = 0

  /** What is known of a document before others judge it. */
  const known = documents.map((text) => {
    const value: unknown = JSON.parse(text)
    const tag = isSchema(value) ? value[dialect.tag] : undefined
    const type = typeof tag === 'string' && Object.hasOwn(types, tag) ? types[tag] : undefined
    const isValid = judge(value)
    if (isValid) valid++
    const shape = type === undefined ? undefined : shapes.get(tag as string)
    const issues = shape && issuesOf(shape, value, { refusesNulls: true })
    const first = shape && tryFault(dialect.schemas[tag as string] as never, value)
    if (first !== 'throws' && (first?.code !== issues?.[0]?.code || first?.path !== issues?.[0]?.path))
      wrong.push(`zod on ${text}`)
    // More are not reported.
    const faults = issues?.length === MAX_ISSUES ? undefined : issues
    return { text, value, type, isValid, faults }
  })

  const compare = (validator: string, i: number, faults: readonly Fault[]): void => {
    const document = known[i]
    if (document === undefined || isDeviation(validator, document.text)) return
    const isSame =
      document.type === undefined || document.faults === undefined
        ? (faults.length === 0) === document.isValid
        : agree(faults, document.faults)
    if (!isSame) wrong.push(`${validator} on ${document.text}: ${JSON.stringify([faults, document.faults])}`)
  }

  const byType = ajvFaults(normative)
  const byWhole = [ajvJudge(normative), ajvJudge(draft07)] as const
  known.forEach(({ value, type }, i) => {
    if (type !== undefined) compare('ajv', i, byType(type, value))
    if (type !== undefined && i % SAMPLE > 0) return
    for (const judge of byWhole) if (judge(value) !== known[i]?.isValid) wrong.push(`ajv on ${documents[i]}`)
  })
  if (python !== '') {
    const isWhole = (i: number): boolean => i % SAMPLE === 0
    const all = known.map(({ type, text }, i) => ({ i, line: `${type ?? ''}\t${text}` }))
    const some = known.map(({ text }, i) => ({ i, line: `\t${text}` })).filter(({ i }) => isWhole(i))
    const old = all.filter(({ i }) => i % SAMPLE === 1)
    const typed = all.filter(({ i }) => known[i]?.type !== undefined)
    for (const [schema, lines] of [
      ['events.schema.json', [...typed, ...some]],
      ['events.draft-07.schema.json', old],
    ] as const) {
      const verdicts = byPython(
        `${SCHEMAS}${folder}/${schema}`,
        lines.map(({ line }) => line),
      )
      lines.forEach(({ i, line }, at) => {
        const faults = verdicts[at] ?? []
        if (!line.startsWith('\t')) compare('jsonschema', i, faults)
        else if ((faults.length === 0) !== known[i]?.isValid && !isDeviation('jsonschema', line))
          wrong.push(`jsonschema on ${line}`)
      })
    }
  }
  return { folder, documents: documents.length, valid, wrong: wrong.slice(0, 5) }
}

/** JSON texts of documents: some as their schema describes them, most of them changed, once or twice. */
function documentsOf(schema: JsonSchema, types: readonly string[], count: number, seed: number): string[] {
  const events = fc.oneof(...types.map(eventsIn(schema)))
  const material = harvest([schema])
  const copies = events.map((event) => Array.from({ length: MUTANTS - 1 }, () => structuredClone(event)))
  const arbitrary = copies.chain((copies) =>
    fc.tuple(
      fc.constant(copies[0]),
      ...copies.map((copy, n) => {
        const once = mutated(fc.constant(structuredClone(copy)), material)
        return n % 3 === 0 ? mutated(once, material) : once
      }),
    ),
  )
  return fc
    .sample(arbitrary, { numRuns: Math.ceil(count / MUTANTS), seed })
    .flatMap((group) => group.map((value) => JSON.stringify(value)))
}

function byPython(schema: string, lines: readonly string[]): Fault[][] {
  const list = join(temporary, 'documents.tsv')
  writeFileSync(list, lines.join('\n'))
  const script = fileURLToPath(new URL('judge.py', import.meta.url))
  const out = execFileSync(python, [script, schema, list], { encoding: 'utf8', maxBuffer: 2 ** 29 })
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map((found: [keyword: string, path: (string | number)[]][]) =>
      faultsFrom(found.map(([keyword, path]) => ({ keyword, path: toPointer(path) }))),
    )
}

function isDeviation(validator: string, text: string): boolean {
  return deviations.some((each) => each.validator === validator && each.applies(text))
}

/** The shape of a schema; `undefined` if there is none, as with the messages of streams. */
function shapeIfAny(schema: Parameters<typeof shapeOf>[0]): Shape | undefined {
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
