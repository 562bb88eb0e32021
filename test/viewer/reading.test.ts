// Proves that a recording is read alike however it is cut, and that problems lead to their events.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exampleRecording } from '../../scripts/example-recording.ts'
import { figuresOf } from '../../src/viewer/model/figures.ts'
import { readInto } from '../../src/viewer/model/reading.ts'
import { Recording } from '../../src/viewer/model/recording.ts'

async function read(
  ...pieces: readonly (string | Uint8Array)[]
): Promise<{ recording: Recording; dialect: string }> {
  const recording = new Recording()
  let dialect = ''
  const reading = readInto(recording, (name) => {
    dialect = name
  })
  for (const piece of pieces) await reading.push(piece)
  await reading.end()
  return { recording, dialect }
}

describe('the example', () => {
  it('has one problem, at the event after the missing one', async () => {
    const { recording, dialect } = await read(exampleRecording())
    expect(dialect).toBe('turnstream events')
    const problems = recording.problems.all.map(({ code, index, line }) => ({ code, index, line }))
    expect(problems).toEqual([{ code: 'delta-index', index: 74, line: 75 }])
    expect(recording.events[74]).toMatchObject({ kind: 'content-delta', index: 21 })
    expect(recording.timeline.rowOf[74]?.problems).toEqual([74])
    expect(figuresOf(recording).map(({ label }) => label)).toEqual([
      'Events',
      'Tasks',
      'Duration',
      'First token',
      'Longest gap',
      'Tokens in / out',
      'Problems',
    ])
  })

  it('is read alike however it is cut', async () => {
    const bytes = new TextEncoder().encode(exampleRecording())
    const whole = await read(bytes)
    const cuts = fc.array(fc.nat(bytes.length), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        const places = [0, ...at.sort((a, b) => a - b), bytes.length]
        const { recording } = await read(...places.slice(1).map((end, i) => bytes.slice(places[i], end)))
        expect(recording.events).toEqual(whole.recording.events)
        expect(recording.lines).toEqual(whole.recording.lines)
        expect(recording.problems.all).toEqual(whole.recording.problems.all)
      }),
    )
  })
})

describe('problems', () => {
  it('of a line without an event have none, others have the event of their line', async () => {
    const lines = exampleRecording().split('\n')
    const { recording } = await read([...lines.slice(0, 3), '{"kind":', ...lines.slice(3)].join('\n'))
    const [fault, rule] = recording.problems.all
    expect(fault).toMatchObject({ line: 4, severity: 'error' })
    expect(fault).not.toHaveProperty('index')
    expect(rule).toMatchObject({ code: 'delta-index', line: 76, index: 74 })
  })

  it('of a protocol with rules of its own lead to the event of the line', async () => {
    const run = { threadId: 't', runId: 'r' }
    const { recording, dialect } = await read(
      [
        { type: 'RUN_STARTED', ...run },
        { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'other', delta: 'hello' },
        { type: 'TEXT_MESSAGE_END', messageId: 'm' },
        { type: 'RUN_FINISHED', ...run },
      ]
        .map((event) => `data: ${JSON.stringify(event)}\n\n`)
        .join(''),
    )
    expect(dialect).toBe('AG-UI')
    const errors = recording.problems.all.filter(({ severity }) => severity === 'error')
    expect(errors.length).toBeGreaterThan(0)
    for (const { index, line } of errors) if (index !== undefined) expect(recording.lines[index]).toBe(line)
  })

  it('of values that are read as no event are shown at the event before them, and mark none', async () => {
    const lines = exampleRecording().split('\n')
    const text = ['{"kind":', ...lines.slice(0, 3), '{"kind":', ...lines.slice(3, 6), '{"kind":'].join('\n')
    const { recording } = await read(text)
    const faults = recording.problems.all.filter(({ severity }) => severity === 'error')
    expect(faults.map(({ line, index, after }) => [line, index, after])).toEqual([
      [1, undefined, -1],
      [5, undefined, 2],
      [9, undefined, 5],
    ])
    expect([...recording.problems.places]).toEqual(expect.arrayContaining([-1, 2, 5]))
    expect(recording.problems.severityOf.has(2)).toBe(false)
    expect(recording.timeline.rowOf[2]?.problems).not.toContain(2)
  })

  it('of severity info are counted by code, and mark nothing', () => {
    const recording = new Recording()
    for (let i = 0; i < 3; i++) recording.report({ severity: 'info', code: 'lossy:x', message: '', index: 0 })
    expect(recording.problems.all).toMatchObject([{ code: 'lossy:x', count: 3 }])
    expect(recording.problems.severityOf.size).toBe(0)
  })

  it.each([
    [[], undefined],
    [['info'], undefined],
    [['warn', 'info'], 'warn'],
    [['warn', 'error', 'warn'], 'error'],
  ] as const)('of severity %j have the color of the worst', (severities, worst) => {
    const recording = new Recording()
    for (const severity of severities) recording.report({ severity, code: 'x', message: '' })
    expect(figuresOf(recording).find(({ label }) => label === 'Problems')?.severity).toBe(worst)
  })

  it('nothing readable is one problem', async () => {
    const { recording, dialect } = await read('hello\nworld\n')
    expect(dialect).toBe('')
    expect(recording.events).toEqual([])
    expect(recording.problems.all.map(({ code }) => code)).toContain('unknown-dialect')
  })
})
