// The types that are written from zod schemas: the compiler proves that they are those of the fixture.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { writeTypes } from '../scripts/write-types.ts'

const folder = 'test/fixtures/write-types'

describe('types of schemas', () => {
  it('are written with their TSDoc, as by hand', () => {
    const path = `${folder}/types.generated.ts`
    expect(writeTypes(path, [`${folder}/schemas.ts`])).toBe(readFileSync(path, 'utf8'))
  })

  it('are refused for a schema of which no type is known', () => {
    expect(() => writeTypes(`${folder}/types.generated.ts`, [`${folder}/unknown.ts`])).toThrow(
      'unknown.ts: no type can be written of z.date().',
    )
  })
})
