// Proves that the well-known error codes are those of the documentation.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { errorCodes } from '../../src/events/error-codes.ts'

const page = readFileSync(new URL('../../docs/reference/events.md', import.meta.url), 'utf8')

it('are the documented ones', () => {
  const [, table = ''] = /<!-- table error-codes -->\n(.*?)\n<!-- \/table -->/s.exec(page) ?? []
  expect([...table.matchAll(/`([^`]*)`/g)].map(([, code]) => code)).toEqual([...errorCodes])
})

it('are distinct words joined by underscores', () => {
  expect(new Set(errorCodes).size).toBe(errorCodes.length)
  for (const code of errorCodes) expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/)
})
