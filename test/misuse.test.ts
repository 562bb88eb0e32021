// Proves that misuse of any exported function is a TypeError that names the option, what it must be and what it got.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entryPoints } from '../scripts/entry-points.ts'
import { jsonValue } from './support/json.ts'
import { misuseRows } from './support/misuse.ts'
import { runs } from './support/runs.ts'

/** Values of every type, and some that are almost right. */
const junk: readonly unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  -1,
  1.5,
  NaN,
  Infinity,
  1e9,
  2 ** 53,
  2 ** 53 + 2,
  '',
  'strct',
  'content_delta',
  'tool-start',
  'line\nbreak',
  Symbol('junk'),
  10n,
  [],
  [null],
  {},
  { audiance: 'user' },
  () => undefined,
  new Date(NaN),
  new Map(),
  new Request('https://example.com/'),
  new URL('https://example.com/'),
  Promise.resolve(),
  new Uint8Array(1),
  new Error('junk'),
  { kind: 'content-delta', delta: 'Hi', index: 0 },
]

/** None, each as the only argument, and each before another. */
const argumentLists: readonly (readonly unknown[])[] = [
  [],
  ...junk.map((first) => [first]),
  ...junk.map((first, i) => [first, junk[(7 * i + 3) % junk.length]]),
]

const HOUSE_FORM = /^"(.+?)" must be .+, got .+\.$/s

/** The messages of the library, unlike those of an engine. */
const OWN_FORM = /^"[^"]+" must be .+, got .+\.$|^Expected .+\.$/s

/** What a call throws, at once or from its promise. `undefined`: nothing. */
async function thrownBy(call: (value: never) => unknown, value: unknown): Promise<unknown> {
  try {
    await call(value as never)
    return undefined
  } catch (error) {
    return error
  }
}

/** What is thrown until the next timer is due, also by the first step of a generator: some wait for ever. */
async function firstOf(result: unknown): Promise<void> {
  const { next } = Object(result) as Partial<AsyncGenerator<unknown>>
  const pending =
    typeof next === 'function' && Symbol.asyncIterator in (result as object) ? next.call(result) : result
  await Promise.race([pending, new Promise((resolve) => setTimeout(resolve))])
}

const isClass = (value: unknown): boolean => /^class /.test(Function.prototype.toString.call(value))

/** Documented to throw an error of its own on data, or what a law found. A hook runs in a component alone. */
const isOwnError = (key: string): boolean => ['readEvents', 'eventLogLaw', 'useAgent'].includes(key)

const modules = await Promise.all(
  entryPoints.map(async ({ name, source }) => ({
    name,
    module: (await import(`../${source}`)) as Readonly<Record<string, unknown>>,
  })),
)

describe.each(modules)('$name', ({ name, module }) => {
  const rows = misuseRows[name] ?? {}
  const functions = Object.keys(module).filter((key) => typeof module[key] === 'function')

  it('lists every function in test/support/misuse.ts', () => {
    expect(
      functions.filter((each) => !Object.hasOwn(rows, each)),
      `Add them to "${name}" in test/support/misuse.ts, with a row for each option.`,
    ).toEqual([])
    expect(
      Object.keys(rows).filter((each) => !functions.includes(each)),
      `Remove them from "${name}" in test/support/misuse.ts.`,
    ).toEqual([])
  })

  const cases = Object.entries(rows).flatMap(([key, each]) => each.map((row) => [key, ...row] as const))
  it.each(cases)('%s checks "%s"', async (_, option, accepts, call) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.constantFrom(...junk), fc.anything()), async (value) => {
        const error = await thrownBy(call, value)
        if (accepts(value) && error === undefined) return
        const [, named] = error instanceof TypeError ? (HOUSE_FORM.exec(error.message) ?? []) : []
        // What is accepted here may lack another option.
        if (named === undefined || (named !== option && !accepts(value)))
          throw new Error(`Expected a TypeError about "${option}", got ${error}.`)
      }),
      {
        numRuns: junk.length + runs(100),
        examples: junk.map((value): [unknown] => [value]),
      },
    )
  })

  it.each(functions.filter((key) => !isClass(module[key]) && !isOwnError(key)))(
    '%s throws no error but its own, whatever the arguments',
    async (key) => {
      const call = module[key] as (...values: unknown[]) => unknown
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(jsonValue(), fc.constantFrom(...junk)), { maxLength: 4 }),
          async (values) => {
            const error = await thrownBy((all: readonly unknown[]) => firstOf(call(...all)), values)
            if (error === undefined || (error instanceof TypeError && OWN_FORM.test(error.message))) return
            throw new Error(`Expected a TypeError of the library, got ${error}.`)
          },
        ),
        {
          numRuns: argumentLists.length + runs(100),
          examples: argumentLists.map((values): [unknown[]] => [[...values]]),
        },
      )
    },
  )

  // The options of createSessionEvent are the envelope of the event, which may have fields of the server's own.
  const optionCases = cases.filter(([key, option]) => option === 'options' && key !== 'createSessionEvent')
  if (optionCases.length === 0) return

  it.each(optionCases)('%s refuses unknown "%s"', async (...row) => {
    const error = await thrownBy(row[3], { unheardOf: undefined })
    expect(error).toBeInstanceOf(TypeError)
    expect((error as TypeError).message).toMatch(/^"options" must be an object of ".+", got ".+"\.$/)
  })
})
