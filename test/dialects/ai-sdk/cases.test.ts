// What the mappers make of streams that are short, broken or rare, chunk by chunk.
import { expect, it } from 'vitest'
import type { FromUiMessageStreamOptions } from '../../../src/dialects/ai-sdk/from/from-ui-message-stream.ts'
import {
  aiSdkCoverage,
  decodeUiMessageChunk,
  fromUiMessageStream,
  toUiMessageStream,
} from '../../../src/dialects/ai-sdk/index.ts'
import { aiSdkLosses } from '../../../src/dialects/ai-sdk/to/coverage.ts'
import type { ToUiMessageStreamOptions } from '../../../src/dialects/ai-sdk/to/to-ui-message-stream.ts'
import { expectCase, mapperCasesOf, undeclaredIn } from '../../support/mapper-cases.ts'

const reading = mapperCasesOf<FromUiMessageStreamOptions>('ai-sdk/from')
const writing = mapperCasesOf<ToUiMessageStreamOptions>('ai-sdk/to')

it.each(reading)('reads $name', (each) =>
  expectCase(
    fromUiMessageStream({ now: () => 0, showErrors: true, newId: () => 'message', ...each.options }) as never,
    each,
  ),
)

it.each(writing)('writes $name, with $options', (each) =>
  expectCase(toUiMessageStream(each.options) as never, each),
)

it('declares what is reported as lost', () => {
  expect(undeclaredIn(writing, aiSdkLosses, aiSdkCoverage)).toEqual([])
})

it('reads the events of the clock, which never goes back', () => {
  const times = [3000, 1000, 4000]
  const machine = fromUiMessageStream({ now: () => times.shift() ?? 0 })
  const start = machine.step(machine.initial, { type: 'start', messageId: 'm' })
  const { out } = machine.step(start.state, { type: 'text-delta', id: 'a', delta: 'x' })
  const seconds = [...start.out, ...out].map(({ timestamp }) => Date.parse(timestamp) / 1000)
  expect(seconds).toEqual([3, 3, 4])
})

it('refuses a value that throws as it is read, in a sentence', () => {
  const value = new Proxy(
    {},
    {
      get: () => {
        throw new Error('No.')
      },
    },
  )
  const decoded = decodeUiMessageChunk(value)
  expect(decoded).toMatchObject({ status: 'invalid', issues: [{ code: 'unreadable', path: '' }] })
  expect(decoded.status === 'invalid' && decoded.issues[0]?.message).toMatch(/^[A-Z].*\.$/)
})
