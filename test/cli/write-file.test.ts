// Proves that a file is written for its owner only, whole or not at all, never through a link, and never over what is read.
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { UsageError } from '../../src/cli/usage-error.ts'
import { writePrivate } from '../../src/cli/write-file.ts'
import { readRecording } from '../support/recordings.ts'
import { runs } from '../support/runs.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'write-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

const OTHER = 'what is there'
const hasModes = process.platform !== 'win32'

/** What may be at the target, and why it is refused. Each gets a folder with the file `other` beside it. */
const places: Readonly<Record<string, { make(target: string, other: string): void; refusal?: string }>> = {
  nothing: { make: () => {} },
  'a file of everybody': { make: (target) => writeFileSync(target, OTHER, { mode: 0o644 }) },
  'a link to a file': {
    make: (target, other) => symlinkSync(other, target),
    refusal: 'expected a file or none, got a symbolic link.',
  },
  'a link to nothing': {
    make: (target) => symlinkSync(`${target}-missing`, target),
    refusal: 'expected a file or none, got a symbolic link.',
  },
  'a folder': {
    make: (target) => mkdirSync(target),
    refusal: 'expected a file or none, got a folder.',
  },
}

it('writes for the owner only, or refuses and changes nothing, whatever is there', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(places)),
      fc.string({ unit: 'grapheme' }),
      async (name, text) => {
        const own = join(folder, String(++count))
        mkdirSync(own)
        const [target, other] = [join(own, 'target'), join(own, 'other')]
        writeFileSync(other, OTHER, { mode: 0o644 })
        places[name]?.make(target, other)
        const { refusal } = places[name] ?? {}
        const before = readdirSync(own)
        const error = await writePrivate(target, text).catch((reason: unknown) => reason)
        expect(readFileSync(other, 'utf8')).toBe(OTHER)
        expect(existsSync(`${target}-missing`)).toBe(false)
        if (refusal === undefined) {
          expect(error).toBeUndefined()
          expect(lstatSync(target).isFile()).toBe(true)
          expect(readFileSync(target, 'utf8')).toBe(text)
          if (hasModes) expect(statSync(target).mode & 0o777).toBe(0o600)
          expect(readdirSync(own).sort()).toEqual(['other', 'target'])
        } else {
          expect(error).toBeInstanceOf(UsageError)
          expect((error as Error).message).toBe(`Cannot write ${target}: ${refusal}`)
          expect(readdirSync(own)).toEqual(before)
        }
      },
    ),
    { numRuns: runs(50) },
  )
})

it('leaves a folder that cannot be written as it is', async () => {
  const own = join(folder, 'read-only')
  const target = join(own, 'target')
  mkdirSync(own)
  writeFileSync(target, OTHER)
  chmodSync(own, 0o500)
  const error = await writePrivate(target, 'x').catch((reason: unknown) => reason)
  chmodSync(own, 0o700)
  // Modes do not hold back an administrator, nor anybody on Windows.
  const isHeldBack = hasModes && process.getuid?.() !== 0
  const refusal = `Cannot write ${target}: permission denied.`
  expect([(error as Error | undefined)?.message, readFileSync(target, 'utf8')]).toEqual(
    isHeldBack ? [refusal, OTHER] : [undefined, 'x'],
  )
  expect(readdirSync(own)).toEqual(['target'])
})

it.each([
  ['a folder that is not there', join(folder, 'missing', 'target'), 'no such file.'],
  ['a file in place of the folder', join(folder, 'file', 'target'), 'ENOTDIR'],
])('refuses %s', async (_, target, reason) => {
  writeFileSync(join(folder, 'file'), OTHER)
  await expect(writePrivate(target, 'x')).rejects.toThrow(reason)
})

describe.each<[command: string, args: (file: string) => string[]]>([
  ['viewer', (file) => [file]],
  ['record', (file) => ['http://127.0.0.1:1/', '-d', `@${file}`]],
])('%s', (command, args) => {
  it.each<[what: string, other: (own: string) => string]>([
    ['the file that it reads', (own) => join(own, 'a')],
    ['another path of it', (own) => `${own}/../same/a`],
    ['a second name of it', (own) => join(own, 'hard')],
    ['a folder that links to its own', (own) => join(own, 'link', 'a')],
  ])('does not write over %s', async (_, other) => {
    const own = join(folder, 'same')
    rmSync(own, { recursive: true, force: true })
    mkdirSync(own)
    const [file, output, bytes] = [join(own, 'a'), other(own), readRecording('core.sse')]
    writeFileSync(file, bytes)
    linkSync(file, join(own, 'hard'))
    symlinkSync(own, join(own, 'link'), 'junction')
    const { code, out, err } = await run(command, ...args(file), '--output', output)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`Expected --output as another file than ${file}, which is read, got ${output}.\n`)
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })
})
