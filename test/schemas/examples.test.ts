// Proves that the published examples decode as their folder states, and that they cover every kind.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { SCHEMAS } from '../../scripts/schemas/files.ts'
import type { Issue } from '../../src/core/decode-result.ts'
import { dialectOf, examplesOf, folders, invalidExamplesOf } from './examples.ts'

/** The issue codes that a decoder can report for JSON values; the others need text, size or a getter. */
const CODES = ['missing', 'invalid-type', 'invalid-value', 'out-of-range', 'invalid-format']

test('every issue code has an invalid example, and the events have at least forty', () => {
  const invalid = folders.filter((folder) => folder.startsWith('events/')).flatMap(invalidExamplesOf)
  expect(new Set(invalid.map(({ issue }) => issue.code))).toEqual(new Set(CODES))
  expect(invalid.length).toBeGreaterThanOrEqual(40)
})

describe.each(folders)('%s', (folder) => {
  const dialect = dialectOf(folder)
  const examples = examplesOf(folder)
  const invalid = invalidExamplesOf(folder)
  const tagOf = (value: unknown): unknown => (value as Record<string, unknown> | null)?.[dialect.tag]

  test.each(examples)('$path', ({ group, value, text }) => {
    const decoded = dialect.decode(value)
    expect(decoded).toMatchObject({ status: group === 'unknown-kind' ? 'unknown' : 'known' })
    if (decoded.status === 'invalid') return
    expect(decoded.event).toBe(value)
    expect(JSON.stringify(decoded.event)).toBe(JSON.stringify(JSON.parse(text)))
    if (!group.startsWith('unknown-')) expect(group).toBe(String(tagOf(value)).replaceAll(':', '-'))
  })

  test.each(invalid)('$path', ({ why, value, issue }) => {
    const decoded = dialect.decode(value)
    const issues: Issue[] = decoded.status === 'invalid' ? decoded.issues : []
    expect(issues.map(({ code, path }) => ({ code, path }))).toContainEqual(issue)
    expect(why).toMatch(/^\S.*\.$/)
  })

  test('every kind has valid and invalid examples', () => {
    // The core vocabulary has a minimal and a full example of each kind.
    const least = dialect.name === 'events' ? 2 : 1
    const meta = JSON.parse(readFileSync(`${SCHEMAS}${folder}/meta.json`, 'utf8')) as { types: object }
    for (const tag of Object.keys(meta.types)) {
      const shown = examples.filter(
        ({ value, group }) => tagOf(value) === tag && !group.startsWith('unknown-'),
      )
      expect(shown.length, tag).toBeGreaterThanOrEqual(least)
      // An event without own fields cannot be invalid.
      if (tag === 'final' || tag === 'closed') continue
      expect(invalid.filter(({ value }) => tagOf(value) === tag).length, tag).toBeGreaterThanOrEqual(1)
    }
  })

  test('unknown kinds and unknown fields have examples', () => {
    for (const group of ['unknown-kind', 'unknown-field']) {
      expect(examples.filter((example) => example.group === group).length).toBeGreaterThanOrEqual(3)
    }
  })
})
