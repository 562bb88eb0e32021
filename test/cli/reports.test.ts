// Proves that reports hold nothing of lines that are not JSON, that they are bounded, and that they name what is wrong.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { parsedJson } from '../../src/json/parsed.ts'
import { runs } from '../support/runs.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'reports-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const started = '{"type":"RUN_STARTED","threadId":"t","runId":"r"}'
const formats = ['text', 'json', 'sarif', 'junit'] as const

/** Everything that the commands report about a recording. */
async function reportsOf(path: string): Promise<string> {
  const calls = [
    ...formats.map((format) => ['validate', path, '--format', format]),
    ['convert', path, '--to', 'a2a'],
    ['inspect', path, '--json'],
    ['inspect', path],
    ['fold', path],
  ]
  const all = []
  for (const call of calls) {
    const { out, err } = await run(...call)
    all.push(out, err)
  }
  return all.join('\n')
}

describe('of what is not JSON, no report', () => {
  const secret = 'sk-5ecre7'
  const line = `{"apiKey":"${secret}"}`
  const layouts: readonly ((broken: string) => string)[] = [
    (broken) => `${started}\n${broken}\n${started}\n`,
    (broken) => `${broken}\n${started}\n`,
    (broken) => `${started}${broken}`,
    (broken) => `[${started},\n${broken}`,
    (broken) => `data: ${started}\n\ndata: ${broken}\n\n`,
    (broken) => `data: ${started}\n\n${broken}\n\n`,
    (broken) => `data: ${started}\n\nfield:${broken}\n\n`,
    (broken) => `${started}\n${JSON.stringify({ dir: 'in', raw: broken })}\n`,
  ]

  it('quotes anything', async () => {
    const broken = fc.oneof(
      fc.nat({ max: line.length }).map((at) => `${line.slice(0, at)}~${line.slice(at)}`),
      fc.nat({ max: line.length - 1 }).map((at) => line.slice(0, at)),
      // A text that begins with a whole string begins with JSON.
      fc
        .nat({ max: line.length - 1 })
        .map((at) => line.slice(at + 1))
        .filter((text) => !text.startsWith('"')),
    )
    await fc.assert(
      fc.asyncProperty(broken, fc.constantFrom(...layouts), async (text, layout) => {
        fc.pre(!isJson(text))
        const reports = await reportsOf(file('secret.txt', layout(text)))
        expect(reports).not.toMatch(/apiKe|5ecre/)
      }),
      { numRuns: runs(60) },
    )
  })

  it.each([
    ['Dear all,\n', 'Expected JSON or an SSE field such as data, got a line of 9 characters "Dear all,".'],
    ['data: 1\n\n## Run\n', 'Expected an SSE field such as data, got a line of 6 characters "## Run".'],
    [`\u001b[2J${'x'.repeat(100)}\n`, `got a line of 104 characters "\\u001b[2J${'x'.repeat(36)}…".`],
    ['data: 1\n\n{"key":1}\n', 'Expected an SSE field such as data, got a line of 9 characters.'],
  ])('shows the line of %j, which is no JSON, cut and escaped', async (text, message) => {
    const { err } = await run('inspect', file('line.txt', text))
    const line = text.startsWith('data') ? 3 : 1
    expect(err).toContain(`Line ${line}: `)
    expect(err).toContain(message)
  })

  it.each([
    ['{"a":1,}', 'got 8 characters with a fault at character 8: expected the name of a member'],
    ['{"a" 1}', 'got 7 characters with a fault at character 6: expected :'],
    ['{"a":1', 'got 6 characters with a fault at character 7: expected , or }'],
    ['{"a":', 'got 5 characters with a fault at character 6: expected a value'],
    ['{"a":[1 2]}', 'got 11 characters with a fault at character 9: expected , or ]'],
    ['{"a":"\\x"}', 'got 10 characters with a fault at character 7: expected an escape of JSON'],
    ['{"a":"b', 'got 7 characters with a fault at character 8: expected "'],
    ['{"a":1} x', 'got 9 characters with a fault at character 9: expected the end'],
  ])('describes %s by where it breaks the grammar', async (text, message) => {
    const { out } = await run('validate', file('place.jsonl', `${started}\n${text}\n`), '--from', 'ag-ui')
    expect(out).toContain(`:2 error invalid-json\n  Expected a JSON value on the line, ${message}.\n`)
  })
})

const isJson = (text: string): boolean => parsedJson(text) !== undefined

describe('reports are bounded', () => {
  const long = 'x'.repeat(100_000)
  const path = file(
    'long.jsonl',
    [
      started,
      JSON.stringify({ type: 'TEXT_MESSAGE_START', messageId: 'm', role: long }),
      JSON.stringify({ type: 'TEXT_MESSAGE_CONTENT', messageId: long, delta: 'a' }),
      JSON.stringify({ type: long, [long]: 1 }),
      JSON.stringify({ type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: { a: long } }),
    ]
      .map((each) => `${each}\n`)
      .join(''),
  )

  it.each(formats)('as %s', async (format) => {
    const { out } = await run('validate', path, '--format', format)
    expect(out.length).toBeGreaterThan(100)
    expect(out).not.toContain('x'.repeat(1001))
  })

  it('in the diagnostics of inspect', async () => {
    const { diagnostics, totals } = JSON.parse((await run('inspect', path, '--json')).out)
    expect(diagnostics.length).toBeGreaterThan(0)
    expect(JSON.stringify([diagnostics, totals])).not.toContain('x'.repeat(1001))
    expect(JSON.stringify(diagnostics.map(({ actual }: { actual: unknown }) => actual))).not.toContain(
      'x'.repeat(121),
    )
  })

  it('in the table of convert', async () => {
    const { err } = await run('convert', path, '--to', 'a2a')
    expect(err).toContain('…')
    expect(Math.max(...err.split('\n').map((row) => row.length))).toBeLessThan(250)
  })
})

describe('a finding', () => {
  const path = file(
    'fields.jsonl',
    [
      { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
      { type: 'TEXT_MESSAGE_END', messageId: 'm' },
      { type: 'STEP_STARTED', stepName: 's' },
      { type: 'TOOL_CALL_START', toolCallId: 'c' },
      { type: 'TOOL_CALL_START', toolCallId: 'd', toolCallName: 'f' },
      { type: 'TOOL_CALL_START', toolCallId: 'd', toolCallName: 'f' },
    ]
      .map((each) => `${JSON.stringify(each)}\n`)
      .join(''),
  )

  it('names the value of the recording, and the event that it is read as', async () => {
    const { events, diagnostics } = JSON.parse((await run('inspect', path, '--json')).out) as {
      events: { kind: string; toolCallId?: string }[]
      diagnostics: { rule?: string; line: number; valueIndex?: number; eventIndex?: number }[]
    }
    const broken = diagnostics.filter(({ rule }) => rule !== undefined && rule !== 'run-ends')
    expect(broken.map(({ line, valueIndex }) => [line, valueIndex])).toContainEqual([6, 5])
    for (const { line, valueIndex } of broken) expect(valueIndex).toBe(line - 1)
    const indexes = broken.flatMap(({ eventIndex }) => eventIndex ?? [])
    for (const index of indexes) expect(events[index]).toBeDefined()
    // The event without a name, and the end of a text that has none, are read as no event.
    for (const { line, eventIndex } of broken) if (line === 4) expect(eventIndex).toBeUndefined()
  })

  it('is numbered from 1 for people, as the viewer numbers events', async () => {
    expect((await run('validate', path)).out).toContain(`${path}:2, value 2 error text-end-started`)
    const event = '{"kind":"task-complete","contextId":"c","taskId":"t","timestamp":"2026-03-14T08:00:00Z"}'
    expect((await run('validate', file('event.jsonl', event))).out).toMatch(/:1, event 1 /)
  })

  it('names the field', async () => {
    const message = '/toolCallName: Missing: expected a string.'
    const { runs } = JSON.parse((await run('validate', path, '--format', 'sarif')).out)
    expect(runs[0].results).toContainEqual(
      expect.objectContaining({
        message: { text: message },
        locations: [expect.objectContaining({ logicalLocations: [{ fullyQualifiedName: '/toolCallName' }] })],
      }),
    )
    expect((await run('validate', path, '--format', 'junit')).out).toContain(message)
    expect((await run('inspect', path)).out).toContain(message)
  })
})
