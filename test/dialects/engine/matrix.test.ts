// Proves that each fault of a stream has one report, the same in every format: the table of docs/reference/faults.md.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Machine } from '../../../src/core/machine.ts'
import type { ContextAnyEvent, EventKind } from '../../../src/events/event.ts'
import { faults, streamsOf, variants } from '../../support/faults.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { type Format, formats } from '../formats.ts'

/** The codes of what a writer reports, with their reasons, but for what its format does not have. */
function codesOf({ writer }: Format, events: readonly ContextAnyEvent[]): string[] {
  const results = resultsOf(writer() as Machine<unknown, ContextAnyEvent, unknown, never>, events)
  return results
    .flatMap(({ diagnostics }) => diagnostics)
    .map(({ code, detail }) => `${code} ${(detail as { reason?: string } | undefined)?.reason ?? ''}`.trim())
    .filter((code) => !/no-equivalent|other-task$/.test(code))
}

/** Fault → its report, from the page. */
const page = readFileSync(new URL('../../../docs/reference/faults.md', import.meta.url), 'utf8')
const rows = new Map(
  [...page.matchAll(/^\| (?!fault|---)(.+?) \|(.*?)\|(.*?)\|$/gm)].map(
    ([, fault = '', code = '', reason = '']) => [
      fault,
      `${code} ${reason}`.replaceAll('`', '').trim().replace(/\s+/, ' '),
    ],
  ),
)

it('the page has every fault', () => {
  expect([...rows.keys()]).toEqual(Object.keys(faults))
})

/** The items of the first list that the second one does not have, each as often. */
function without(list: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return list.filter((item) => {
    const at = left.indexOf(item)
    if (at < 0) return true
    left.splice(at, 1)
    return false
  })
}

describe.each(formats)('$name', (format) => {
  const cases = Object.entries(faults).flatMap(([fault, { kinds }]) =>
    kinds.every((kind) => format.coverage[kind as EventKind] !== 'omitted')
      ? variants
          .filter((variant) => variant !== 'in a subtask' || format.hasOneTask !== true)
          .map((variant) => [fault, variant] as const)
      : [],
  )
  it.each(cases)('reports once that %s, %s', (fault, variant) => {
    const row = rows.get(fault) as string
    const isGone =
      (format.isCarried === true && /^(dropped|lossy)(?!.*after-end)/.test(row)) ||
      (format.isCarriedAfterEnd === true && row.endsWith('after-end')) ||
      (format.canReplace === true && row === 'lossy:content')
    const [faulty, sound] = streamsOf(fault, variant).map((events) => codesOf(format, events)) as [
      string[],
      string[],
    ]
    // A kind of event may lose fields each time that it occurs.
    const more = without(faulty, sound).filter((code) => !/^lossy:(?!content$|arguments$)/.test(code))
    expect(more).toEqual(row === '' || isGone ? [] : [row])
  })
})
