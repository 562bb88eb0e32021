// Proves what the report of a recording holds, that it does not depend on how the recording is cut, and that it is bounded.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../src/events/event.ts'
import {
  dialects,
  inspectRecording,
  type Report,
  type TaskReport,
  type TimelineEntry,
  timeline,
} from '../../src/inspect/index.ts'
import { jsonValue } from '../support/json.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { readRecording, recordings } from '../support/recordings.ts'
import { runs } from '../support/runs.ts'

const files = Object.entries(recordings)
const at = '2026-03-14T08:00:00.000Z'
const lines = (...values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')
const event = (kind: string, more: object = {}): object => ({
  kind,
  contextId: 'c',
  taskId: 't',
  timestamp: at,
  ...more,
})

describe.each(files)('%s', (file, dialect) => {
  const bytes = readRecording(file)

  it('has nothing wrong, and the text of the answer or a call', async () => {
    const report = await inspectRecording([bytes])
    expect(report.dialect).toBe(dialect)
    expect(report.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    const [task] = report.tasks
    expect(task?.textLength === 23 || (task?.tools.length ?? 0) > 0).toBe(true)
  })

  it('gives the same report in any pieces', async () => {
    const whole = await inspectRecording([bytes])
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 64 }), async (size) => {
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        )
        expect(await inspectRecording(pieces)).toEqual(whole)
      }),
      { numRuns: 5 },
    )
  })
})

describe('any JSON in any line', () => {
  const asLines = new Map(files.map(([file, dialect]) => [dialect, file] as const))
  it.each(dialects)('of %s is reported with its line, and nothing throws', async (dialect) => {
    const text = new TextDecoder().decode(readRecording(asLines.get(dialect) ?? ''))
    const values = text.startsWith('{')
      ? text.trimEnd().split('\n')
      : [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => data)
    await fc.assert(
      fc.asyncProperty(jsonValue(), fc.nat(), async (value, place) => {
        const n = place % (values.length + 1)
        const own = typeof value === 'object' && value !== null ? { bogus: value } : value
        const all = [...values.slice(0, n), JSON.stringify(own), ...values.slice(n)].join('\n')
        const linesOfEvents: number[] = []
        const report = await inspectRecording([all], {
          from: dialect,
          onEvent: (_, { line }) => linesOfEvents.push(line),
        })
        for (const { line, valueIndex, eventIndex } of report.diagnostics) {
          if (valueIndex !== undefined) expect(valueIndex).toBe(line - 1)
          if (eventIndex !== undefined) expect(linesOfEvents[eventIndex]).toBe(line)
        }
        const isReported = report.diagnostics.some(({ line }) => line === n + 1)
        // Providers add chunks and fields in every version: their readers ignore an object that has nothing to show.
        expect(isReported || typeof own === 'object').toBe(true)
      }),
      { numRuns: runs(40) },
    )
  })

  it.each(dialects)('alone, as %s', async (from) => {
    await fc.assert(
      fc.asyncProperty(fc.array(jsonValue()), async (values) => {
        const report = await inspectRecording([lines(...values)], { from })
        expect(report.dialect).toBe(from)
      }),
      { numRuns: runs(40) },
    )
  })
})

describe('a legal stream', () => {
  const flat = (tasks: readonly TaskReport[]): TaskReport[] =>
    tasks.flatMap((task) => [task, ...flat(task.children)])

  it('is reported whole: tasks, tools, thoughts and text', async () => {
    await fc.assert(
      fc.asyncProperty(legalStreams(), async (events) => {
        const report = await inspectRecording([lines(...events)], { from: 'core' })
        const tasks = flat(report.tasks)
        const of = <K extends ContextAnyEvent['kind']>(kind: K) =>
          events.filter((each): each is Extract<ContextAnyEvent, { kind: K }> => each.kind === kind)
        expect(report.totals.events).toBe(events.length)
        expect(report.totals.findings.error).toBe(0)
        expect(new Set(tasks.map(({ taskId }) => taskId))).toEqual(
          new Set([
            ...events.map(({ taskId }) => taskId),
            ...of('subtask-created').map(({ subtaskId }) => subtaskId),
          ]),
        )
        for (const { subtaskId, taskId } of of('subtask-created')) {
          const parent = tasks.find((task) => task.taskId === taskId)
          expect(parent?.children.map((child) => child.taskId)).toContain(subtaskId)
        }
        const calls = (each: readonly { taskId: string; toolCallId: string }[]) =>
          new Set(each.map(({ taskId, toolCallId }) => `${taskId} ${toolCallId}`))
        expect(
          calls(
            tasks.flatMap(({ taskId, tools }) => tools.map(({ toolCallId }) => ({ taskId, toolCallId }))),
          ),
        ).toEqual(calls([...of('tool-start'), ...of('tool-arguments-delta'), ...of('tool-complete')]))
        expect(report.totals.thoughts).toBe(
          new Set([...of('thought-stream'), ...of('thought-delta')].map(({ thoughtId }) => thoughtId)).size,
        )
        for (const task of tasks) {
          const last = of('task-status').findLast(({ taskId }) => taskId === task.taskId)
          const isComplete = of('task-complete').some(({ taskId }) => taskId === task.taskId)
          expect(task.status).toBe(isComplete ? 'completed' : (last?.status ?? null))
          const started = events.findIndex(({ taskId }) => taskId === task.taskId)
          if (started >= 0) expect(task.startLine).toBeLessThanOrEqual(started + 1)
        }
      }),
      { numRuns: runs(200) },
    )
  })

  it('is shown whole by the timeline: each event once', () => {
    fc.assert(
      fc.property(legalStreams(), (events) => {
        const { push, end } = timeline()
        const entries: TimelineEntry[] = []
        for (const [i, each] of events.entries()) {
          entries.push(...push(each, { line: i + 1, eventIndex: i, depth: 0 }))
        }
        entries.push(...end())
        expect(entries.flatMap(({ kind, count }) => Array(count).fill(kind))).toEqual(
          events.map(({ kind }) => kind),
        )
        expect(entries.every(({ text }) => text.length <= 400 && !text.includes('\n'))).toBe(true)
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('the report', () => {
  const reportOf = (...values: readonly unknown[]): Promise<Report> => inspectRecording([lines(...values)])

  it('counts text once, however it comes', async () => {
    const delta = event('content-delta', { delta: 'abc', index: 0 })
    const whole = event('content-complete', { content: 'abcdef' })
    for (const [values, length] of [
      [[delta], 3],
      [[delta, whole], 6],
      [[whole], 6],
      [[delta, whole, whole], 12],
    ] as const) {
      const { totals } = await reportOf(...values)
      expect(totals.textLength).toBe(length)
    }
  })

  it('measures tools by their own duration, or by their times', async () => {
    const start = event('tool-start', { toolCallId: 'a', toolName: 'x', arguments: {} })
    const complete = { toolCallId: 'a', toolName: 'x', success: true }
    const later = { timestamp: '2026-03-14T08:00:02.500Z' }
    const tools = async (end: object) =>
      (await reportOf(start, event('tool-complete', { ...complete, ...end }))).tasks[0]?.tools
    expect(await tools(later)).toMatchObject([{ status: 'completed', durationMs: 2500, line: 1 }])
    expect(await tools({ ...later, metadata: { duration: 7 } })).toMatchObject([{ durationMs: 7 }])
    expect(await tools({ success: false })).toMatchObject([{ status: 'failed' }])
  })

  it('cuts off arguments and thoughts unless all is asked for', async () => {
    const secret = 'x'.repeat(1000)
    const text = lines(
      event('tool-start', { toolCallId: 'a', toolName: 'x', arguments: { secret } }),
      event('thought-stream', {
        thoughtId: 'b',
        thoughtType: 'planning',
        verbosity: 'normal',
        content: secret,
        index: 0,
      }),
    )
    const short = (await inspectRecording([text])).tasks[0]
    expect(short?.tools[0]?.arguments?.length).toBeLessThan(200)
    expect(short?.thoughts[0]).toMatchObject({ length: 1000, line: 2 })
    expect(short?.thoughts[0]?.text.length).toBeLessThan(200)
    const full = (await inspectRecording([text], { full: true })).tasks[0]
    expect(full?.tools[0]?.arguments).toBe(JSON.stringify({ secret }))
    expect(full?.thoughts[0]?.text).toBe(secret)
  })

  it('holds tasks that claim each other as parents', async () => {
    const { tasks } = await reportOf(
      event('task-created', { taskId: 'a', parentTaskId: 'b', initiator: 'agent' }),
      event('task-created', { taskId: 'b', parentTaskId: 'a', initiator: 'agent' }),
      event('task-created', { taskId: 'd', parentTaskId: 'd', initiator: 'agent' }),
    )
    expect(tasks.map(({ taskId, children }) => [taskId, children.map((child) => child.taskId)])).toEqual([
      ['b', ['a']],
      ['d', []],
    ])
  })

  it('is bounded: what is not listed is counted', async () => {
    const count = 3000
    const { tasks, totals, diagnostics } = await reportOf(
      ...Array.from({ length: count }, (_, i) =>
        event('task-created', { taskId: `t-${i}`, initiator: 'user', bogus: 1 }),
      ),
      ...Array.from({ length: count }, () => event('nothing')),
    )
    expect([tasks.length, diagnostics.length]).toEqual([1000, 1000])
    expect(totals.tasks).toBe(count)
    expect(totals.findings.warn).toBeGreaterThan(count)
  })

  it('takes 1970 for a time if the recording states it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(9), fc.nat(9), async (start, length) => {
        const frame = {
          id: 'f',
          session_id: 's',
          timestamp_ms: start,
          seq: 0,
          type: 'session_started',
          input: '',
        }
        const end = {
          ...frame,
          id: 'g',
          timestamp_ms: start + length,
          seq: 1,
          type: 'session_ended',
          reason: 'completed',
        }
        const { totals } = await inspectRecording([lines(frame, end)])
        expect(totals.durationMs).toBe(start + length === 0 ? undefined : length)
      }),
      { numRuns: runs(20) },
    )
  })

  it('sums the tokens of a message after which the task waits, and leaves out invalid ones', async () => {
    const usage = [{ model: 'm-1', inputTokens: 3, outputTokens: -1 }, 'none']
    const waiting = event('task-status', { status: 'waiting-input', metadata: { usage } })
    const { totals } = await inspectRecording([lines(event('task-created', { initiator: 'user' }), waiting)])
    expect(totals.usage).toEqual([{ model: 'm-1', inputTokens: 3 }])
  })

  it('states no times where the recording has none', async () => {
    const report = await inspectRecording([readRecording('openai-chat.sse')])
    expect(report.totals.durationMs).toBeUndefined()
    expect(report.totals.usage).toEqual([
      { model: 'example-model', inputTokens: 18, outputTokens: 7, totalTokens: 25 },
    ])
  })

  it.each([
    ['', 'no values'],
    ['{"a":1}\n', '1 value of an unknown format'],
  ])('of %j has no dialect', async (text, got) => {
    const report = await inspectRecording([text])
    expect(report).toMatchObject({ dialect: null, tasks: [], totals: { events: 0 } })
    expect(report.diagnostics).toEqual([
      {
        code: 'unknown-dialect',
        severity: 'error',
        message: `Expected a recording of a known format, got ${got}.`,
        line: 1,
      },
    ])
  })
})
