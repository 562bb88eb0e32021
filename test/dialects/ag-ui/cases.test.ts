// What the mappers make of streams that are short, broken or rare, event by event.
import { expect, it } from 'vitest'
import type { FromAgUiOptions } from '../../../src/dialects/ag-ui/from/options.ts'
import { agUiCoverage, fromAgUi, toAgUi } from '../../../src/dialects/ag-ui/index.ts'
import { agUiLosses } from '../../../src/dialects/ag-ui/to/coverage.ts'
import type { ToAgUiOptions } from '../../../src/dialects/ag-ui/to/options.ts'
import { expectCase, mapperCasesOf, undeclaredIn } from '../../support/mapper-cases.ts'

const reading = mapperCasesOf<FromAgUiOptions>('ag-ui/from')
const writing = mapperCasesOf<ToAgUiOptions>('ag-ui/to')

it.each(reading)('reads $name', (each) =>
  expectCase(fromAgUi({ now: () => 0, ...each.options }) as never, each),
)

it.each(writing)('writes $name', (each) => expectCase(toAgUi(each.options) as never, each))

it('declares what is reported as lost', () => {
  expect(undeclaredIn(writing, agUiLosses, agUiCoverage)).toEqual([])
})
