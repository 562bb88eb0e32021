/** Cases of mappers, as data: a stream, and what each step of it gives. */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Machine } from '../../src/core/machine.ts'
import type { Coverage } from '../../src/dialects/shared/coverage.ts'
import type { EventKind } from '../../src/events/event.ts'
import { expectSentences, type Result, resultsOf, UNKNOWN } from './mapper-laws.ts'

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

/** What the cases of a writer report as lost, without unknown fields, and the writer does not declare: `<kind> <field>`. */
export function undeclaredIn(
  cases: readonly MapperCase<unknown>[],
  losses: Readonly<Record<EventKind, readonly string[]>>,
  coverage: Readonly<Record<EventKind, Coverage>>,
): string[] {
  const found = cases.flatMap(({ input, steps }) =>
    steps.flatMap((step, i) => {
      const event = input[i] as { kind: EventKind } | undefined
      const { diagnostics } = step as { diagnostics: readonly { code: string; path?: string }[] }
      return diagnostics.flatMap(({ code, path }): [EventKind, string][] => {
        if (code.startsWith('dropped:')) return [[code.slice('dropped:'.length) as EventKind, '*']]
        if (!code.startsWith('lossy:') || event === undefined || path === undefined) return []
        return [[event.kind, path.slice(1).replaceAll('/', '.')]]
      })
    }),
  )
  const isDeclared = ([kind, field]: [EventKind, string]): boolean =>
    coverage[kind] === 'omitted' ||
    losses[kind].some((lost) => `${field}.`.startsWith(lost.endsWith('.*') ? lost.slice(0, -1) : `${lost}.`))
  return found
    .filter((each) => !each[1].split('.').some((key) => key.startsWith(UNKNOWN)) && !isDeclared(each))
    .map((each) => each.join(' '))
}
