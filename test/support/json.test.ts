// Proves that generated JSON values survive a round trip through text, and that every test uses them.
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonNumber, jsonValue } from './json.ts'
import { runs } from './runs.ts'

test.each([
  ['jsonValue', jsonValue()],
  ['jsonNumber', jsonNumber(-1, 1)],
])('%s generates only values that JSON preserves', (_, values) => {
  fc.assert(
    fc.property(values, (value) => {
      expect(JSON.parse(JSON.stringify(value))).toStrictEqual(value)
    }),
    { numRuns: runs(2000) },
  )
})

test('no test generates JSON values by other means', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('support/json.'))
    .filter((file) => !file.includes('node_modules'))
  expect(files.filter((file) => readFileSync(`test/${file}`, 'utf8').includes('fc.jsonValue'))).toEqual([])
})
