// Proves that names, comments, messages and pages use the field's terms: no house word comes back.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** Each phrase with what an engineer of the field writes instead. Words match inside camelCase names too. */
const phrases: readonly [house: RegExp, instead: string][] = [
  [/\b(say|says|said|saying)\b/, 'emit, report, specify, state, write'],
  [/\b(tell|tells|told|untold|telling)\b/, 'report, emit, specify, distinguish'],
  [/\bnot told\b/, 'omitted if unknown'],
  [/\bbecomes? of\b/, 'how … is mapped'],
  [/\b(?<!there )is none\b(?!:)|(?<!if )\bnone is\b/, 'is not a …, is missing'],
  [/\bwhat there is\b/, 'the …, available …'],
  [/\bof an age\b/, 'older than …'],
  [/\bamounts? to\b/, 'is, folds to'],
  [/\bgoes on\b/, 'continues'],
  [/\bhas no words? for\b/, 'has no equivalent of'],
  [/\bmust not hold\b/, 'must not contain'],
  [/\bwhole number\b/, 'integer'],
]

/** The text with camelCase names as separate lower-case words. */
function spaced(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
}

function filesIn(folder: string, ending: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => ending.test(file))
    .sort()
}

const files = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'BENCHMARKS.md',
  'test/README.md',
  'conformance/README.md',
  'conformance/FOLDING.md',
  'conformance/formats/README.md',
  ...filesIn('src', /\.ts$/),
  ...filesIn('docs', /\.md$/),
  ...filesIn('schemas', /\.(md|json)$/).filter((file) => !/\/(examples|invalid)\//.test(file)),
]

/** The house words of a text, with their lines. */
function houseWords(file: string, text: string): string[] {
  const found: string[] = []
  for (const [i, line] of text.split('\n').entries()) {
    const words = spaced(line)
    for (const [house, instead] of phrases) {
      const [word] = house.exec(words) ?? []
      if (word !== undefined)
        found.push(`${file}:${i + 1}: "${word}" → ${instead}: ${line.trim().slice(0, 100)}`)
    }
  }
  return found
}

const whyFiles = filesIn('schemas', /\/invalid\/[^/]*\.json$/)

it('reads the reasons of invalid events', () => {
  expect(whyFiles.length).toBeGreaterThan(100)
})

it('the reasons of invalid events use standard terms', () => {
  const found = whyFiles.flatMap((file) => {
    const { why } = JSON.parse(readFileSync(file, 'utf8')) as { why: string }
    return houseWords(file, why)
  })
  expect(found).toEqual([])
})

it.each(files)('%s uses standard terms', (file) => {
  expect(houseWords(file, readFileSync(file, 'utf8'))).toEqual([])
})

describe('a house word is found', () => {
  it.each([
    ['/** Absent: not told. */', true],
    ['const saidByUpdate = 1', true],
    ['function sayLater() {}', true],
    ['// What becomes of each event.', true],
    ['throw new TypeError("must be a whole number")', true],
    ['/** Omitted if unknown. */', false],
    ['const essay = "essays"', false],
    ['export { untoldId as x }', true],
    ['/** A value that is none. */', true],
    ['/** Omitted if there is none. */', false],
    ['    if kind is None:', false],
    ['/** Emits the event. */', false],
  ])('%s', (text, isHouse) => {
    expect(houseWords('sample.ts', text).length > 0).toBe(isHouse)
  })
})
