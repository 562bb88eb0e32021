// Proves the table of exit codes in docs/cli.md: for each command and each input, the code and what is written where.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { recordingPath } from '../support/recordings.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'exit-codes-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const page = join(folder, 'page.html')

/** How each command reads a recording. Replay, which serves until it is stopped, has tests of its own. */
const readers: Readonly<Record<string, readonly string[]>> = {
  inspect: [],
  'inspect --json': ['--json'],
  validate: [],
  'validate --format json': ['--format', 'json'],
  'validate --format sarif': ['--format', 'sarif'],
  'validate --format junit': ['--format', 'junit'],
  'convert --to core': ['--to', 'core'],
  'convert --to ag-ui': ['--to', 'ag-ui'],
  diff: [recordingPath('core.sse')],
  fold: [],
  viewer: ['--output', page],
}
/** Their result states that nothing is known. */
const reports = /^(?:validate|inspect --json)/

/** What has no known format, and what is said of it. */
const unknown: Readonly<Record<string, readonly [path: string, message: string]>> = {
  nothing: [file('empty.sse', ''), 'got no values.'],
  'other JSON': [file('other.jsonl', '{"a":1}\n'), 'got 1 value of an unknown format.'],
  'a text': [
    file('letter.txt', '\nDear all,\nhello\n'),
    'Line 2: Expected JSON or an SSE field such as data',
  ],
  'a picture': [file('picture.png', '\u0089PNG\r\n\u001a\n\0\0'), 'other binary data.'],
}
const unreadable: Readonly<Record<string, readonly [path: string, message: string]>> = {
  'a missing file': [join(folder, 'missing.sse'), 'no such file.'],
  'a folder': [folder, 'Expected a file, got the folder'],
}

describe.each(Object.entries(readers))('%s', (call, options) => {
  const [name = ''] = call.split(' ')

  it.each(Object.entries({ ...unknown, ...unreadable }))(
    'of %s ends with 2',
    async (input, [path, message]) => {
      const { code, out, err } = await run(name, path, ...options)
      expect([code, existsSync(page)]).toEqual([2, false])
      expect(err).toContain(`turnstream ${name}: `)
      expect(err).toContain(message)
      expect(out === '').toBe(!(reports.test(call) && input in unknown))
    },
  )

  it('of a recording ends with 0, its result on standard output', async () => {
    if (name === 'viewer' && !existsSync('dist/viewer/main.js')) {
      expect((await run(name, recordingPath('core.sse'), ...options)).err).toContain(
        'The viewer is incomplete',
      )
      return
    }
    const { code, out, err } = await run(name, recordingPath('core.sse'), ...options)
    expect(code).toBe(0)
    expect(out).not.toBe('')
    if (name !== 'convert') expect(err).toBe('')
    rmSync(page, { force: true })
  })
})

describe.each(commands)('$name', ({ name }) => {
  it('ends with 2 for a call that is wrong, and prints no result', async () => {
    const { code, out, err } = await run(name, '--frobnicate')
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`turnstream ${name}: Unknown option --frobnicate.`)
  })

  it('is in the table', () => {
    expect(readFileSync('docs/cli.md', 'utf8')).toMatch(
      new RegExp(`^\\| \`${name}\` \\|(?: [^|]+ \\|){4}$`, 'm'),
    )
  })
})

it('replay of nothing ends with 2', async () => {
  const [path] = unknown.nothing ?? []
  expect(await run('replay', path ?? '')).toMatchObject({ code: 2, out: '' })
})

it('what a command is to look for ends with 1', async () => {
  const faults = file('faults.jsonl', '{"type":"RUN_STARTED","threadId":"t","runId":"r"}\n{"type":\n')
  expect(await run('validate', faults)).toMatchObject({ code: 1, err: '' })
  expect((await run('convert', faults, '--to', 'core', '--strict')).code).toBe(1)
})
