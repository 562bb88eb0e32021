/** Cases of mappers, as data: a stream, and what each step of it gives. */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Machine } from '../../src/core/machine.ts'
import { expectSentences, type Result, resultsOf } from './mapper-laws.ts'

/** A stream, and what a mapper makes of it. */
export interface MapperCase<Options> {
  readonly name: string
  readonly options: Options
  readonly input: readonly unknown[]
  /** The reason of the end. Omitted: none. */
  readonly end?: unknown
  /** What each input gives; the last item is the end. */
  readonly steps: readonly unknown[]
}

/** The cases of one file below `test/fixtures/`, one on each line, without the ending of its name. */
export function mapperCasesOf<Options>(file: string): readonly MapperCase<Options>[] {
  return readFileSync(new URL(`../fixtures/${file}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as MapperCase<Options>)
}

/** Checks that a mapper gives what a case states, step by step. */
export function expectCase<Options>(
  machine: Machine<unknown, never, unknown, never>,
  { input, end, steps }: MapperCase<Options>,
): void {
  const results = resultsOf(machine, input as readonly never[], end as never)
  expectSentences(results)
  expect(results.map(stated)).toEqual(steps)
}

/** A step as JSON, with the diagnostics in values: messages, and the issues of invalid input, are for people. */
function stated({ out, diagnostics }: Result<unknown>): unknown {
  const values = diagnostics.map(({ code, path, detail }) =>
    code === 'invalid-event' ? { code, path } : { code, path, detail },
  )
  return JSON.parse(JSON.stringify({ out, diagnostics: values }))
}
