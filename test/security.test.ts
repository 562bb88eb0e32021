// Proves that SECURITY.md names tests that exist, for every boundary, and links to what is there.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const page = readFileSync('SECURITY.md', 'utf8')
const boundaries = page.split('\n### ').slice(1)

describe.each(boundaries.map((text) => [text.split('\n')[0] ?? '', text]))('%s', (_, text) => {
  const tests = [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path)

  it('names tests that exist', () => {
    expect(tests.filter((path) => !existsSync(path))).toEqual([])
    expect(tests).not.toEqual([])
  })

  it('states a test for each defence', () => {
    const rows = text.split('\n').filter((line) => /^\| (?!---|The library)/.test(line))
    expect(rows.filter((row) => !/\| `test\/.*` \|$/.test(row))).toEqual([])
  })
})

it('covers who crosses them', () => {
  expect(boundaries.map((text) => text.split('\n')[0])).toEqual([
    'The model',
    'Tools',
    'The client',
    'The peer agent',
    'The log',
    'Other users of a stream',
    'All of them',
  ])
})
