// What the mappers make of streams that are short, broken or rare, event by event.
import { it } from 'vitest'
import {
  type FromAgUiOptions,
  fromAgUi,
  type ToAgUiOptions,
  toAgUi,
} from '../../../src/dialects/ag-ui/index.ts'
import { expectCase, mapperCasesOf } from '../../support/mapper-cases.ts'

const reading = mapperCasesOf<FromAgUiOptions>('ag-ui/from')
const writing = mapperCasesOf<ToAgUiOptions>('ag-ui/to')

it.each(reading)('reads $name', (each) => expectCase(fromAgUi(each.options) as never, each))

it.each(writing)('writes $name', (each) => expectCase(toAgUi(each.options) as never, each))
