// Proves that the command runs the suites of the package, reports what it found, and refuses wrong arguments.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { junitReport } from '../../../src/cli/conformance/junit.ts'
import { kitFolder, suitesFolder } from '../../../src/cli/conformance/kit.ts'
import { readManifest } from '../../../src/cli/conformance/suites.ts'
import { failureList } from '../../../src/cli/conformance/table.ts'
import { compiled } from '../../support/compiled.ts'
import { type Outcome, run as runCommand } from '../run.ts'
import { program as scripted } from './program.ts'

const temporary = mkdtempSync(join(tmpdir(), 'turnstream-conformance-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

const run = (...args: string[]): Promise<Outcome> => runCommand('conformance', ...args)

const program = (path: string): string[] => [process.execPath, compiled(new URL(path, import.meta.url))]
const adapter = program('../../conformance/adapter/main.ts')
const manifest = await readManifest(kitFolder())
const formats = await readManifest(suitesFolder(kitFolder(), true))

const packageOf = (folder: string): { readonly version: string } =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

describe('this implementation', () => {
  it.each([
    ['events', manifest, []],
    ['other formats', formats, ['--formats']],
  ])('passes all suites of %s', async (_, suites, options) => {
    const report = join(temporary, 'report.xml')
    const total = suites.reduce((sum, { cases }) => sum + cases, 0)
    const { code, out, err } = await run(...options, '--junit', report, '--', ...adapter)
    expect(err).toBe('')
    const rows = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ +/))
    expect(rows).toEqual([
      ['suite', 'level', 'cases', 'passed', 'failed', 'unsupported'],
      ...suites.map(({ id, level, cases }) => [id, level, `${cases}`, `${cases}`, '0', '0']),
      ['total', `${total}`, `${total}`, '0', '0'],
    ])
    expect(code).toBe(0)
    const xml = readFileSync(report, 'utf8')
    expect(xml.match(/<testcase /g)).toHaveLength(total)
    expect(xml).not.toContain('<failure')
  })

  it.each(['decode', 'verify', 'cursor', 'resume', 'fold', 'wire'])(
    'fails the suite %s if one of its values is another',
    async (id) => {
      const { code, out } = await run('--suite', id, '--', ...program('./mutant.ts'), id)
      expect(code).toBe(1)
      expect(out).toMatch(new RegExp(`^${id}: .+\n {2}\\S+: expected .+, got .+`, 'm'))
    },
  )
})

describe('a program', () => {
  const unsupported = scripted('({ name }) => ({ name, unsupported: true })')

  it('has to support the suites of the level must', async () => {
    const { code, out } = await run('--suite', 'cursor', '--suite', 'sse', '--', ...unsupported)
    const { cases } = manifest.find(({ id }) => id === 'cursor') ?? expect.fail()
    expect(out).toMatch(new RegExp(`^cursor +must +${cases} +0 +0 +${cases}$`, 'm'))
    // Half a surrogate pair need not be supported.
    expect(out).toContain(`\ncursor: ${cases - 1} cases are unsupported, which every implementation needs\n`)
    expect(out).not.toContain('\nsse: ')
    expect(code).toBe(1)
  })

  it('need not support others', async () => {
    expect((await run('--suite', 'sse', '--', ...unsupported)).code).toBe(0)
  })

  it('is asked for the suites up to a level', async () => {
    const { out } = await run('--level', 'should', '--', ...unsupported)
    const ids = [...out.matchAll(/^(\S+) +(?:must|should|may) /gm)].map(([, id]) => id)
    expect(ids).toEqual(manifest.filter(({ level }) => level !== 'may').map(({ id }) => id))
  })
})

describe('arguments', () => {
  it.each<[args: string[], message: string]>([
    [[], 'Expected a command after "--", got none.'],
    [['--suite', 'fol', '--', 'x'], 'Unknown suite fol. Did you mean fold?'],
    [['--level', 'most', '--', 'x'], 'Expected --level must, should, may, got most.'],
    [['--level', 'must', '--suite', 'sse', '--', 'x'], 'Expected a suite of level must, got sse.'],
    [['--timeout', '0', '--', 'x'], 'Expected --timeout in milliseconds, an integer >= 1, got 0.'],
    [['--timeout', 'soon', '--', 'x'], 'Expected --timeout in milliseconds, an integer >= 1, got soon.'],
    [['--suit', 'fold', '--', 'x'], 'Unknown option --suit. Did you mean --suite?'],
    [['--xyzzy', '--', 'x'], 'Unknown option --xyzzy.'],
    [
      ['--formats', '--suite', 'frames-decod', '--', 'x'],
      'Unknown suite frames-decod. Did you mean frames-decode?',
    ],
    [['--kit', 'docs', '--', 'x'], 'Expected --kit to be a folder with manifest.json, got docs.'],
    [['fold', '--', 'x'], 'Unexpected argument fold. Write the command after "--".'],
  ])('%j: %s', async (args, message) => {
    const { code, out, err } = await run(...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toBe(
      `turnstream conformance: ${message}\nRun "turnstream conformance --help" for examples.\n`,
    )
  })

  it('name a command that cannot be started', async () => {
    const { code, err } = await run('--suite', 'cursor', '--', './no-such-command')
    expect(code).toBe(2)
    expect(err).toMatch(/^turnstream conformance: Cannot start \.\/no-such-command: /)
  })

  it('name a report that cannot be written', async () => {
    const file = join(temporary, 'no-such-folder/report.xml')
    const { code, err } = await run('--suite', 'cursor', '--junit', file, '--', ...adapter)
    expect(code).toBe(2)
    expect(err).toContain(`Cannot write ${file}: `)
  })

  it('list the suites', async () => {
    const { code, out } = await run('--list', '--level', 'must')
    expect(code).toBe(0)
    expect(out.match(/^\S+/gm)).toEqual(['decode', 'verify', 'cursor', 'resume', 'fold'])
  })
})

describe('a kit', () => {
  const copy = join(temporary, 'kit')
  cpSync('conformance', copy, { recursive: true })

  it('is of the version of the package', async () => {
    expect(packageOf('conformance').version).toBe(packageOf('.').version)
    expect((await run('--kit', copy, '--list')).err).toBe('')
  })

  it('of another version is told', async () => {
    writeFileSync(join(copy, 'package.json'), JSON.stringify({ version: '0.1.0' }))
    const { code, err } = await run('--kit', copy, '--list')
    expect(err).toBe(`The kit has version 0.1.0, turnstream has ${packageOf('.').version}.\n`)
    expect(code).toBe(0)
  })
})

describe('a report', () => {
  const failed = { outcome: 'failed', durationMs: 1500 } as const
  const suite = {
    id: 'a<b',
    level: 'may',
    results: [
      { name: 'x "y"\u0000', ...failed, reasons: ['got </failure> & \ud83d', 'more'] },
      { name: 'z', outcome: 'unsupported', durationMs: 0 },
      ...Array.from({ length: 7 }, (_, n) => ({ name: `n${n}`, ...failed, reasons: ['the same'] })),
      ...Array.from({ length: 12 }, (_, n) => ({ name: `m${n}`, ...failed, reasons: [`other ${n}`] })),
    ],
  } as const

  it('in XML escapes what XML cannot hold', () => {
    const xml = junitReport([suite])
    expect(xml).toContain(
      '<testsuite name="a&#60;b" tests="21" failures="20" errors="0" skipped="1" time="30.000">',
    )
    expect(xml).toContain(
      '<testcase classname="a&#60;b" name="x &#34;y&#34;\ufffd" time="1.500"><failure message="got &#60;/failure&#62; &#38; \ufffd">got &#60;/failure&#62; &#38; \ufffd&#10;more</failure></testcase>',
    )
    expect(xml).toContain('name="z" time="0.000"><skipped/></testcase>')
  })

  it('in XML fails if the command does, also for what is not supported', () => {
    const results = [
      { name: 'x', outcome: 'unsupported', durationMs: 0 },
      { name: 'y', outcome: 'unsupported', optional: true, durationMs: 0 },
    ] as const
    const xml = junitReport([{ id: 'a', level: 'must', results }])
    expect(xml).toContain('tests="2" failures="1" errors="0" skipped="1"')
    expect(xml).toMatch(/name="x" time="0.000"><failure message="[^"]+unsupported/)
    expect(xml).toContain('name="y" time="0.000"><skipped/></testcase>')
  })

  it('in text shows what controls a terminal', () => {
    const result = { name: 'a\u202e', ...failed, reasons: ['got \u001b[2J\u009b\r\tb\u2028c é🙂'] }
    const text = failureList([{ id: 'a', level: 'may', results: [result] }], false)
    expect(text).toBe('\na: a\\u202e\n  got \\u001b[2J\\u009b\\u000d\tb\\u2028c é🙂\n')
  })

  it('in text lists cases that failed for the same reason together, and counts the rest', () => {
    const text = failureList([suite], false)
    expect(text).toContain('\na<b: n0, n1, n2, n3, n4 and 2 more\n  the same\n')
    expect(text).toMatch(/\na<b: 4 more; list them with --all\n$/)
  })

  it('in text lists all on request', () => {
    const text = failureList([suite], true)
    expect(text).toContain('\na<b: n0, n1, n2, n3, n4, n5, n6\n  the same\n')
    expect(text.length).toBeGreaterThan(failureList([suite], false).length)
    expect(text).not.toContain('--all')
  })
})
