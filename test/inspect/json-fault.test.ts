// Proves that a text has a fault if and only if it is not JSON, and that the text before a fault has none of its own.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonFault } from '../../src/inspect/recording/json-fault.ts'
import { parsedJson } from '../../src/json/parsed.ts'
import { jsonValue } from '../support/json.ts'
import { runs } from '../support/runs.ts'

const json = fc
  .tuple(jsonValue(), fc.constantFrom(0, 1))
  .map(([value, indent]) => JSON.stringify(value, null, indent))
const changed = fc
  .tuple(
    json,
    fc.nat(),
    fc.constantFrom('', '"', '\\', ',', ':', '{', '}', '[', ']', '0', '-', 'e', '\n', '~'),
  )
  .map(([text, at, char]) => {
    const from = at % text.length
    return text.slice(0, from) + char + text.slice(from + 1)
  })

const isJson = (text: string): boolean => parsedJson(text) !== undefined

it('a text has a fault if and only if it is not JSON', () => {
  fc.assert(
    fc.property(fc.oneof(json, changed), (text) => {
      const fault = jsonFault(text)
      expect(fault === undefined).toBe(isJson(text))
      if (fault === undefined) return
      expect(fault.at).toBeLessThanOrEqual(text.length + 1)
      // What precedes the fault lacks only what follows.
      const before = text.slice(0, fault.at - 1)
      expect(jsonFault(before)?.at ?? fault.at).toBe(fault.at)
    }),
    { numRuns: runs(2000) },
  )
})
