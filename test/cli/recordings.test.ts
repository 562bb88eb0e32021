// Proves what the commands that read a recording print, and how they end.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { dialects } from '../../scripts/schemas/dialects.ts'
import { targets } from '../../src/cli/convert/writers.ts'
import { progressLine } from '../../src/cli/recording/progress.ts'
import { runCli } from '../../src/cli/run-cli.ts'
import type { Report } from '../../src/inspect/index.ts'
import { readRecording, recordingPath, recordings } from '../support/recordings.ts'
import { run, shell } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'recordings-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** The rules that are broken. */
function errorsIn({ diagnostics }: Report): string[] {
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ rule, code = '' }) => rule ?? code)
}

const core = recordingPath('core.sse')
const broken = file(
  'broken.jsonl',
  '{"type":"RUN_STARTED","threadId":"t","runId":"r"}\n{"type":"TEXT_MESSAGE_END","messageId":"m"}\n{"type":\n',
)
const unknown = file('unknown.jsonl', '{"a":1}\n')

describe('inspect', () => {
  it.each(Object.entries(recordings))('prints the report of %s as JSON', async (name, dialect) => {
    const { code, out, err } = await run('inspect', recordingPath(name), '--json')
    expect([code, err]).toEqual([0, ''])
    const report = JSON.parse(out)
    expect(Object.keys(report)).toEqual(['dialect', 'events', 'tasks', 'diagnostics', 'totals'])
    expect(report).toMatchObject({ dialect, totals: { findings: { error: 0 } } })
    expect(report.events.length).toBe(report.totals.events)
    expect((await run('convert', recordingPath(name), '--to', 'core', '--audience', 'operator')).out).toBe(
      report.events.map((event: object) => `${JSON.stringify(event)}\n`).join(''),
    )
  })

  it('reads a file named after --', async () => {
    expect(await run('inspect', '--', core)).toEqual(await run('inspect', core))
  })

  it('prints a report of no known format as JSON', async () => {
    const { code, out } = await run('inspect', unknown, '--json')
    expect([code, JSON.parse(out)]).toMatchObject([2, { dialect: null, events: [], tasks: [] }])
  })

  it('shows tasks as a tree, with tools, thoughts and tokens', async () => {
    const { out } = await run('inspect', core)
    expect(out).toContain('tides completed in 1.9 s, 23 characters of text, 210 tokens in, 34 out\n')
    expect(out).toMatch(/├─ thought "The tide table has it\."\n/)
    expect(out).toMatch(/├─ tool tide_table completed in 427 ms \{"port":"Brest"\}\n/)
    expect(out).toMatch(/└─ charts \(chart-reader\) completed/)
  })

  it('shows the line of each fault', async () => {
    const { code, out } = await run('inspect', broken)
    expect(code).toBe(0)
    expect(out).toMatch(/error invalid-json line 3\n/)
    expect(out).toMatch(/error text-end-started line 2\n/)
  })

  it('shows nothing that controls the terminal', async () => {
    const event = {
      kind: 'content-delta',
      contextId: 'c',
      taskId: '\u001b[2J',
      delta: '\u001b]0;x\u0007\u202e',
      index: 0,
      timestamp: '2026-03-14T08:00:00Z',
    }
    const { out } = await run('inspect', file('control.jsonl', JSON.stringify(event)))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what may not be there.
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
  })

  it('shows nothing that controls the terminal, whatever the command', async () => {
    const evil = '\u001b[2J\u009b31m\u202e\u2066\u200f'
    const event = (more: object) => ({
      contextId: evil,
      taskId: evil,
      timestamp: '2026-03-14T08:00:00Z',
      ...more,
    })
    const path = file(
      `${evil.replaceAll('/', '')}.jsonl`,
      `${[
        event({ kind: 'task-created', initiator: 'user', metadata: { input: evil } }),
        event({ kind: 'tool-start', toolCallId: evil, toolName: evil, arguments: { [evil]: evil } }),
        event({ kind: 'content-complete', content: evil, index: evil }),
        event({ kind: evil }),
      ]
        .map((each) => `${JSON.stringify(each)}\n`)
        .join('')}{"${evil}`,
    )
    for (const args of [
      ['inspect', path],
      ['inspect', path, '--full'],
      ['inspect', path, '--json'],
      ['validate', path],
      ['validate', path, '--format', 'json'],
      ['validate', path, '--format', 'sarif'],
      ['validate', path, '--format', 'junit'],
      ['fold', path],
      ...targets.map((to) => ['convert', path, '--to', to]),
      [evil],
      ['inspect', evil],
      ['inspect', path, `--${evil}`],
      ['inspect', path, evil],
      ['validate', path, '--rule', evil],
      ['schema', evil],
      ['conformance', '--suite', evil],
    ]) {
      const { out, err } = await run(...args)
      expect([
        args,
        // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what may not be there.
        (out + err).match(/[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/),
      ]).toEqual([args, null])
    }
    const view = JSON.parse((await run('fold', path)).out)
    expect(view.tasks[0].taskId).toBe(evil)
  })
})

describe('a call that is wrong ends with 2', () => {
  it.each<[args: string[], message: string]>([
    [['inspect'], 'Expected the name of a file, or - for standard input.'],
    [['inspect', 'a', 'b'], 'Expected one file, got 2: a, b.'],
    [['inspect', 'missing.sse'], 'Cannot read missing.sse: no such file.'],
    [['inspect', folder], `Expected a file, got the folder ${folder}.`],
    [['inspect', core, '--form', 'core'], 'Unknown option --form. Did you mean --from?'],
    [['inspect', core, '--from', 'agui'], 'got agui. Did you mean ag-ui?'],
    [['inspect', core, '--from', 'google'], 'got google. Did you mean gemini?'],
    [['inspect', core, '--mode', 'x'], 'Expected --mode strict, standard, lenient, got x.'],
    [['validate', core, '--format', 'xml'], 'Expected --format text, json, sarif, junit, got xml.'],
    [['validate', core, '--format', 'sraif'], 'got sraif. Did you mean sarif?'],
    [['validate', core, '--mode', 'Strict'], 'got Strict. Did you mean strict?'],
    [['convert', core, '--to', 'AG-UI'], 'got AG-UI. Did you mean ag-ui?'],
    [['schema', 'x', '--in', 'evnts'], 'Unknown vocabulary evnts. Did you mean events?'],
    [['conformance', '--suite', 'nope', '--', 'x'], 'Unknown suite nope. Expected one of decode, verify, '],
    [['validate', core, '--fail-on', 'x'], 'Expected --fail-on error, warn, info, never, got x.'],
    [['validate', core, '--rule', 'x'], 'Expected --rule NAME=error, warn, info or off, got x.'],
    [
      ['validate', core, '--rule', 'created-frist=off'],
      'Unknown rule created-frist of core. Did you mean created-first?',
    ],
    [['convert', core], 'Expected --to core, a2a'],
    [['convert', core, '--to', 'cohere'], 'got cohere.'],
    [['convert', core, '--to', 'a2a', '--version', '2'], 'Expected --version 1.0 or 0.3, got 2.'],
    [['convert', core, '--to', 'ag-ui', '--version', '0.3'], 'Expected --version with --to a2a or frames'],
    [['convert', unknown, '--to', 'core'], 'Name its format with --from.'],
    [['fold', unknown], 'Expected a recording of a known format'],
    [['replay', core, '--port', 'x'], 'Expected --port as an integer from 0 to 65535, got x.'],
    [['replay', core, '--port', '99999'], 'Expected --port as an integer from 0 to 65535, got 99999.'],
    [['replay', core, '--speed', '-1'], 'Expected --speed=VALUE for a value that begins with a hyphen.'],
    [['fold', file('empty.sse', '')], 'got no values.'],
    [['replay', core, '--speed', '0'], 'Expected --speed as a number above 0, or max, got 0.'],
    [['schema', 'tool-strat'], 'Unknown kind tool-strat. Did you mean tool-start?'],
    [['schema'], 'Expected one kind, such as tool-start.'],
    [['schema', 'x', '--in', 'y'], 'Unknown vocabulary y.'],
    [['schema', '--variant', 'x'], 'Expected --variant open, draft-07, codegen, types, got x.'],
    [['schema', 'tool-start', '--variant', 'types'], 'Expected no kind with --variant, got tool-start.'],
    [
      ['schema', '--variant', 'types', '--in', 'frames'],
      'Expected --in with one version, such as frames/v1 or ',
    ],
  ])('%j', async (args, message) => {
    const { code, err } = await run(...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})

describe('validate', () => {
  it.each(Object.keys(recordings))('finds nothing in %s', async (name) => {
    const { code, out } = await run('validate', recordingPath(name))
    expect([code, out.match(/: (.*)\n$/)?.[1]]).toEqual([
      0,
      expect.stringMatching(/0 errors, 0 warnings, 0 notes$/),
    ])
  })

  it.each<[args: string[], code: number]>([
    [[], 1],
    [['--fail-on', 'never'], 0],
    [['--rule', 'invalid-json=off', '--rule', 'text-end-started=off', '--rule', 'run-ends=off'], 0],
    [['--rule', 'invalid-json=warn', '--rule', 'text-end-started=warn', '--rule', 'run-ends=off'], 0],
    [['--rule', 'invalid-json=warn', '--rule', 'text-end-started=info', '--fail-on', 'warn'], 1],
  ])('ends with the code that %j asks for', async (args, code) => {
    expect((await run('validate', broken, ...args)).code).toBe(code)
  })

  it('prints the place, the rule and the message', async () => {
    const { out } = await run('validate', broken)
    expect(out).toContain(`${broken}:2, value 2 error text-end-started`)
    expect(out).toContain(
      `${broken}:3 error invalid-json\n  Expected a JSON value on the line, got 8 characters with a fault at character 9: expected a value.\n`,
    )
  })

  it('as JSON', async () => {
    const { findings, ...rest } = JSON.parse((await run('validate', broken, '--format', 'json')).out)
    expect(rest).toMatchObject({ file: broken, dialect: 'ag-ui', values: 2 })
    expect(findings).toContainEqual(
      expect.objectContaining({ rule: 'text-end-started', severity: 'error', line: 2, valueIndex: 1 }),
    )
  })

  it('states how many findings are not listed', async () => {
    const path = file(
      'many-faults.jsonl',
      `{"type":"RUN_STARTED","threadId":"t","runId":"r"}\n${'{"type":\n'.repeat(10_100)}`,
    )
    const report = async (format: string) => (await run('validate', path, '--format', format)).out
    const { findings, omitted, totals } = JSON.parse(await report('json'))
    expect(findings.length + omitted).toBe(totals.error + totals.warn + totals.info)
    expect(omitted).toBeGreaterThan(0)
    expect(JSON.parse(await report('sarif')).runs[0].properties.omittedResults).toBe(omitted)
    expect(await report('junit')).toContain(
      `<system-out>${omitted} more findings are not listed.</system-out>`,
    )
  })

  it('as SARIF', async () => {
    const { version, runs } = JSON.parse((await run('validate', broken, '--format', 'sarif')).out)
    expect(version).toBe('2.1.0')
    const [{ tool, results }] = runs
    const ids = tool.driver.rules.map(({ id }: { id: string }) => id)
    for (const result of results) {
      expect(ids[result.ruleIndex]).toBe(result.ruleId)
      expect(['error', 'warning', 'note']).toContain(result.level)
      expect(result.locations[0].physicalLocation.region.startLine).toBeGreaterThan(0)
    }
    expect(ids).toContain('text-end-started')
  })

  it('as JUnit', async () => {
    const { out } = await run('validate', broken, '--format', 'junit')
    expect(out).toMatch(
      /<testcase classname="ag-ui" name="text-end-started"><failure message="[^<>]*">line 2: error: /,
    )
    expect((await run('validate', core, '--format', 'junit')).out).toContain(
      'tests="1" failures="0" errors="0"',
    )
  })
})

describe('convert', () => {
  it.each(targets.flatMap((to) => [[to, false] as const, [to, true] as const]))(
    'to %s, as messages: %s',
    async (to, isSse) => {
      const { code, out } = await run('convert', core, '--to', to, ...(isSse ? ['--sse'] : []))
      expect(code).toBe(0)
      const report = JSON.parse((await run('inspect', file(`to-${to}`, out), '--json')).out)
      expect(report.dialect).toBe(to)
      expect(errorsIn(report)).toEqual([])
    },
  )

  it('prints what is lost as a table, and fails with --strict', async () => {
    const { code, err } = await run('convert', core, '--to', 'agent-event', '--strict')
    expect(code).toBe(1)
    expect(err).toMatch(/^code +count +line {2}first message\n/)
    expect(err).toMatch(/^lossy:\w+ +\d+ +\d+ {2}\S/m)
  })

  const texts = Object.keys(recordings).filter((name) => !name.endsWith('.eventstream'))
  it.each(texts)('reports a value among those of %s that is no event', async (name) => {
    const lines = readFileSync(recordingPath(name), 'utf8').split('\n')
    const isSse = name.endsWith('.sse')
    for (const value of ['{"other":"value"}', '5', 'null', '[{"other":"value"}]']) {
      const at = isSse ? lines.indexOf('', lines.indexOf('') + 1) + 1 : 2
      const mixed = lines.toSpliced(at, 0, ...(isSse ? [`data: ${value}`, ''] : [value])).join('\n')
      const { code, err } = await run('convert', file(`mixed-${name}`, mixed), '--to', 'core', '--strict')
      expect({ value, code, err }).toEqual({
        value,
        code: 1,
        err: expect.stringMatching(/^(invalid|dropped|unknown)/m),
      })
    }
  })

  it('writes a message of ai-sdk for each task of a user', async () => {
    const runs = ['a', 'b'].flatMap((runId) => [
      { type: 'RUN_STARTED', threadId: 't', runId },
      { type: 'TEXT_MESSAGE_START', messageId: `m-${runId}`, role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: `m-${runId}`, delta: `text of ${runId}` },
      { type: 'TEXT_MESSAGE_END', messageId: `m-${runId}` },
      { type: 'RUN_FINISHED', threadId: 't', runId },
    ])
    const two = file('two.jsonl', runs.map((event) => `${JSON.stringify(event)}\n`).join(''))
    const { out, err } = await run('convert', two, '--to', 'ai-sdk')
    expect(err).not.toContain('dropped:')
    const report: Report = JSON.parse((await run('inspect', file('two-messages', out), '--json')).out)
    expect(report.tasks.map(({ status }) => status)).toEqual(['completed', 'completed'])
    expect(errorsIn(report)).toEqual([])
    for (const runId of ['a', 'b']) expect(out).toContain(`text of ${runId}`)
  })

  it('lists times that the recording does not state', async () => {
    const chat = recordingPath('openai-chat.sse')
    expect((await run('convert', chat, '--to', 'core', '--strict')).err).toContain('inferred:timestamp')
    expect((await run('convert', chat, '--to', 'ai-sdk')).err).not.toContain('inferred:timestamp')
    expect((await run('convert', core, '--to', 'core')).err).toBe('')
  })

  it('writes chat completions that are read again', async () => {
    const { out } = await run('convert', core, '--to', 'openai-chat', '--sse')
    expect(out.endsWith('data: [DONE]\n\n')).toBe(true)
    const report = JSON.parse((await run('inspect', file('chat.sse', out), '--json')).out)
    expect(report).toMatchObject({ dialect: 'openai-chat' })
    expect(errorsIn(report)).toEqual([])
  })

  it('keeps everything as core', async () => {
    const { code, out, err } = await run('convert', core, '--to', 'core', '--strict', '--sse')
    expect([code, err]).toEqual([0, ''])
    expect(out).toBe(new TextDecoder().decode(readRecording('core.sse')))
  })

  it('keeps everything of ag-ui with the extension', async () => {
    const { err } = await run(
      'convert',
      core,
      '--to',
      'ag-ui',
      '--extension',
      '--audience',
      'operator',
      '--strict',
    )
    expect(err).not.toContain('lossy:')
  })
})

it('fold prints the view', async () => {
  const view = JSON.parse((await run('fold', core)).out)
  expect(
    view.tasks.map(({ taskId, status }: { taskId: string; status: string }) => [taskId, status]),
  ).toEqual([
    ['tides', 'completed'],
    ['charts', 'completed'],
  ])
  expect((await run('fold', core, '--compact')).out).toBe(`${JSON.stringify(view)}\n`)
})

it('fold lists faults by their code', async () => {
  const path = file('fold-faults.jsonl', `${readFileSync(core, 'utf8')}${'"x\n'.repeat(5000)}`)
  const { code, err } = await run('fold', path, '--from', 'core')
  expect(code).toBe(0)
  expect(err).toMatch(/error invalid-line ×5000 lines /)
  expect(err.split('\n').length).toBeLessThan(20)
  expect((await run('validate', path, '--from', 'core')).err).toBe('')
})

const variantFiles = {
  open: 'events.open.schema.json',
  'draft-07': 'events.draft-07.schema.json',
  codegen: 'events.codegen.json',
  types: 'events.types.json',
}

describe('schema', () => {
  it('prints a schema that stands alone, with an example', async () => {
    const schema = JSON.parse((await run('schema', 'input-required')).out)
    const refs = [...JSON.stringify(schema).matchAll(/"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name)
    expect(refs.length).toBeGreaterThan(0)
    for (const name of refs) expect(schema.$defs).toHaveProperty(String(name))
    expect(schema.examples[0].kind).toBe('input-required')
  })

  it.each(
    dialects.flatMap(({ name, version }) =>
      [...Object.entries(variantFiles)].map(([variant, file]) => [variant, `${name}/${version}`, file]),
    ),
  )('prints the variant %s of %s, as the repository has it', async (variant, path, file) => {
    const { code, out } = await run('schema', '--variant', variant, '--in', path)
    expect(code).toBe(0)
    expect(out === readFileSync(`schemas/${path}/${file}`, 'utf8')).toBe(true)
  })

  it('prints a variant of the events if no vocabulary is stated', async () => {
    const { out } = await run('schema', '--variant', 'codegen')
    expect(JSON.parse(out).$id).toBe('urn:turnstream:events:1.0:codegen')
  })

  it('has each kind that it lists', async () => {
    const { out } = await run('schema', '--list')
    let vocabulary = ''
    for (const line of out.trimEnd().split('\n')) {
      if (!line.startsWith(' ')) {
        vocabulary = line
        continue
      }
      const { code, out: text } = await run('schema', line.trim(), '--in', vocabulary)
      expect([line, code, JSON.parse(text).type]).toEqual([line, 0, 'object'])
    }
  })
})

describe('the viewer', () => {
  it.each([
    ['nothing', '', 'no values'],
    ['a picture', '\u0089PNG\r\n\u001a\n\0\0', 'other binary data'],
    ['a text', 'Dear all,\n', 'Expected JSON or an SSE field'],
  ])('is not written of %s', async (_, text, message) => {
    const output = join(folder, 'none.html')
    const { code, err } = await run('viewer', file('none.txt', text), '--output', output)
    expect([code, existsSync(output)]).toEqual([2, false])
    expect(err).toContain(message)
  })

  it('is written with the recording inside, readable by nobody else', async () => {
    if (!existsSync('dist/viewer/main.js')) {
      const { code, err } = await run('viewer', core)
      expect(code).toBe(2)
      expect(err).toContain('The viewer is incomplete in this installation')
      return
    }
    const output = join(folder, 'run.html')
    expect(await run('viewer', core, '--output', output)).toEqual({ code: 0, out: `${output}\n`, err: '' })
    expect(readFileSync(output, 'utf8')).toContain('When is high water in Brest?')
  })
})

describe('the viewer without a recording', () => {
  it('is written only if no recording is named', async () => {
    const output = join(folder, 'empty.html')
    const wrong = await run('viewer', core, '--empty', '--output', output)
    expect([wrong.code, existsSync(output)]).toEqual([2, false])
    expect(wrong.err).toContain(`Expected no file with --empty, got ${core}.`)
  })

  it.runIf(existsSync('dist/viewer/main.js'))('is the page that the build makes', async () => {
    const output = join(folder, 'empty.html')
    expect((await run('viewer', '--empty', '--output', output)).code).toBe(0)
    expect(readFileSync(output, 'utf8')).toContain('<script type="application/json" id="recording"></script>')
  })
})

describe('as a program', () => {
  it('reads standard input', () => {
    const { status, stdout, stderr } = shell(`turnstream inspect - --json < ${core}`)
    expect([status, stderr, JSON.parse(stdout).dialect]).toEqual([0, '', 'core'])
  })

  // What is written is longer than a pipe holds.
  it('is silent if its reader closes early', () => {
    const event = JSON.parse(
      new TextDecoder().decode(readRecording('core.sse')).match(/data: (.*)/)?.[1] ?? '',
    )
    const many = file(
      'many.jsonl',
      Array.from({ length: 2000 }, (_, i) => `${JSON.stringify({ ...event, taskId: `t-${i}` })}\n`).join(''),
    )
    for (const command of [
      `inspect ${many}`,
      `convert ${many} --to core`,
      `validate ${many}`,
      `fold ${many}`,
    ]) {
      const { stdout, stderr } = shell(`(turnstream ${command}; echo "code $?" >&3) 3>&2 | head -c 10`)
      expect([command, stdout.length, stderr]).toEqual([command, 10, 'code 0\n'])
    }
  }, 60_000)

  it('fails if what it has found fails, also if its reader closes early', () => {
    const faults = file(
      'faults.jsonl',
      `{"type":"RUN_STARTED","threadId":"t","runId":"r"}\n${'{"type":\n'.repeat(2000)}`,
    )
    for (const [command, code] of [
      [`validate ${faults}`, 1],
      [`validate ${faults} --rule invalid-json=warn`, 0],
      [`validate ${faults} --rule invalid-json=warn --fail-on warn`, 1],
      [`validate ${faults} --fail-on never`, 0],
    ] as const) {
      const { stdout, stderr } = shell(`(turnstream ${command}; echo "code $?" >&3) 3>&2 | head -c 10`)
      expect([command, stdout.length, stderr]).toEqual([command, 10, `code ${code}\n`])
    }
  }, 60_000)

  it.runIf(existsSync('/dev/full'))('ends with 2 if its output cannot be written', () => {
    for (const command of [`fold ${core}`, `convert ${core} --to core`]) {
      const { status, stderr } = shell(`turnstream ${command} > /dev/full`)
      expect([command, status, stderr]).toEqual([
        command,
        2,
        expect.stringMatching(/^turnstream: Cannot write: .*\n$/),
      ])
    }
  })

  it('has colors on a terminal only, unless it is told otherwise', async () => {
    const colorCode = '\u001b['
    const colored = async (isColored: boolean, ...options: readonly string[]): Promise<boolean> => {
      let shown = ''
      const out = (text: string): void => {
        shown += text
      }
      await runCli(['inspect', core, ...options], { out, err: () => {}, isColored })
      return shown.includes(colorCode)
    }
    expect([await colored(false), await colored(false, '--color')]).toEqual([false, true])
    expect([await colored(true), await colored(true, '--no-color')]).toEqual([true, false])
    expect(shell(`turnstream inspect ${core}`).stdout).not.toContain(colorCode)
    if (shell('script -qec true /dev/null').status !== 0) return
    const pty = (environment: string): string =>
      shell(`env -u NO_COLOR TERM=xterm ${environment} script -qec 'turnstream inspect ${core}' /dev/null`)
        .stdout
    expect(pty('A=1')).toContain(colorCode)
    expect(pty('NO_COLOR=1')).not.toContain(colorCode)
  }, 60_000)
})

it.each([
  [5e8, 1e9, 2000, 'Read 500 MB of 1000 MB (50 %), 250 MB/s'],
  [5e8, undefined, 0, 'Read 500 MB, 500000 MB/s'],
  [0, 0, 10, 'Read 0 MB, 0 MB/s'],
])('the progress of %s of %s bytes', (bytes, size, ms, line) => {
  expect(progressLine(bytes, size, ms)).toBe(line)
})
