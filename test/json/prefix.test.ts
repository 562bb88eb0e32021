// Proves that a text is the beginning of JSON as the reader of partial JSON decides it.
import fc from 'fast-check'
import { parsePartialJson } from 'turnstream/json'
import { describe, expect, it } from 'vitest'
import { isJsonPrefix } from '../../src/json/prefix.ts'
import { jsonValue } from '../support/json.ts'
import { runs } from '../support/runs.ts'

function expectAgreement(text: string): void {
  const { verdict } = parsePartialJson(text)
  if (verdict !== 'complete') expect([text, isJsonPrefix(text)]).toEqual([text, verdict === 'incomplete'])
}

describe('the beginning of JSON', () => {
  it('is found in every text that was cut off', () => {
    fc.assert(
      fc.property(jsonValue(), fc.nat(), fc.boolean(), (value, at, isSpaced) => {
        const text = JSON.stringify(value, null, isSpaced ? 1 : 0)
        expectAgreement(text.slice(0, at % (text.length + 1)))
      }),
      { numRuns: runs(2000) },
    )
  })

  it('is not found in a text with a fault', () => {
    const piece = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ':',
        ',',
        '"',
        '\\',
        '\\u00',
        '"a"',
        'tru',
        'true',
        'nul',
        '-',
        '0',
        '01',
        '1',
        '.',
        'e',
        'E+',
        ' ',
        'x',
        '\n',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => expectAgreement(pieces.join(''))),
      { numRuns: runs(5000) },
    )
  })
})
