// Legal logs survive mapping to legal events and back; legal events survive mapping to legal logs and
// back, except for the declared losses.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AnyFrame,
  encodeFrame,
  type FrameV1,
  framesLossyFields,
  frameVerifier,
  fromFrames,
  toFrames,
  upgradeFrame,
} from '../../../src/dialects/frames/index.ts'
import {
  type ContextAnyEvent,
  type Diagnostic,
  decodeEvent,
  type EventKind,
  run,
} from '../../../src/index.ts'
import { runs } from '../../support/runs.ts'
import { legalEvents, legalLog } from './logs.ts'

function toEvents(frames: readonly AnyFrame[]) {
  const diagnostics: Diagnostic[] = []
  const { push, end } = run(fromFrames({ contextId: 'c' }), {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  })
  return { events: [...frames.flatMap((frame) => [...push(frame)]), ...end()], diagnostics }
}

function toLog(events: readonly ContextAnyEvent[], version: 'v1' | 'v2', sessionId: string) {
  const diagnostics: Diagnostic[] = []
  let ids = 0
  const machine = toFrames({ version, sessionId, newId: () => `f${ids++}` })
  const { push, end } = run(machine, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) })
  return { frames: [...events.flatMap((event) => [...push(event)]), ...end()] as AnyFrame[], diagnostics }
}

function violationsOf(frames: readonly AnyFrame[], version: 'v1' | 'v2') {
  const { push, end } = run(frameVerifier({ version }))
  return [...frames.flatMap((frame) => [...push(frame)]), ...end()]
}

/** The rules of every stream of events. */
function expectLegal(events: readonly ContextAnyEvent[]): void {
  const tasks = new Map<
    string,
    { text: string[]; open: Map<string, string>; calls: Set<string>; status?: string }
  >()
  for (const event of events) {
    expect(decodeEvent(event).status).toBe('known')
    const { taskId } = event
    if (event.kind === 'task-created') {
      expect(tasks.has(taskId)).toBe(false)
      if (event.parentTaskId !== undefined) expect(tasks.has(event.parentTaskId)).toBe(true)
      tasks.set(taskId, { text: [], open: new Map(), calls: new Set() })
      continue
    }
    const task = tasks.get(taskId)
    expect(task, `${event.kind} before task-created`).toBeDefined()
    if (task === undefined) continue
    if (task.status !== undefined)
      expect(`${event.kind} after ${task.status}`).toBe('task-complete after completed')
    switch (event.kind) {
      case 'content-delta':
        expect(event.index).toBe(task.text.length)
        task.text.push(event.delta)
        break
      case 'content-complete':
        if (task.text.length > 0) expect(event.content).toBe(task.text.join(''))
        task.text = []
        break
      case 'tool-start':
        expect(task.calls.has(event.toolCallId)).toBe(false)
        task.calls.add(event.toolCallId)
        task.open.set(event.toolCallId, event.toolName)
        break
      case 'tool-progress':
        expect(task.open.has(event.toolCallId)).toBe(true)
        break
      case 'tool-complete':
        expect(task.open.get(event.toolCallId)).toBe(event.toolName)
        expect(event.success).toBe(event.error === undefined)
        task.open.delete(event.toolCallId)
        break
      case 'task-status':
        if (!['completed', 'failed', 'canceled'].includes(event.status)) break
        task.status = event.status
        expect(task.text).toEqual([])
        expect(task.open.size).toBe(0)
        break
      default:
        break
    }
  }
}

describe('frames → events → frames', () => {
  it('maps a legal log to legal events', () => {
    fc.assert(
      fc.property(legalLog, (log) => {
        expect(violationsOf(log, 'v1')).toEqual([])
        const { events, diagnostics } = toEvents(log)
        expectLegal(events)
        expect(diagnostics).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  it.each(['v1', 'v2'] as const)('restores the log in version %s, except for frame ids', (version) => {
    fc.assert(
      fc.property(legalLog, (log) => {
        // An unknown type does not determine the kind of its stream.
        const kinds: Record<string, string> = { s: 'session', k: 'task', c: 'thread' }
        const kindOf = (frame: AnyFrame): string =>
          kinds[String((frame as FrameV1).session_id).charAt(0)] ?? ''
        const frames =
          version === 'v1' ? log : log.map((frame) => upgradeFrame({ ...frame, stream_kind: kindOf(frame) }))
        const first = log.find(({ type }) => type === 'session_started') as { session_id: string }
        const { frames: back, diagnostics } = toLog(toEvents(frames).events, version, first.session_id)
        const withoutId = (frame: AnyFrame): string => encodeFrame({ ...frame, id: 'x' } as AnyFrame)
        expect(back.map(withoutId)).toEqual(frames.map(withoutId))
        const codes = new Set(diagnostics.map(({ code }) => code))
        // Frames have no equivalent for these; fromFrames infers them again.
        for (const code of ['lossy:contextId', 'dropped:task-status', 'dropped:subtask-created'])
          codes.delete(code)
        expect([...codes]).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })
})

/** An event without the fields it may lose, or `undefined` if frames drop it. */
function lasting(event: ContextAnyEvent, dropped: ReadonlySet<string>): object | undefined {
  const { kind } = event
  const isEnd = kind === 'task-status' && ['completed', 'failed', 'canceled'].includes(event.status)
  if (dropped.has(kind) && !isEnd) return undefined
  // Segments survive; the deltas of a segment that was never streamed are new.
  if (kind === 'content-delta' || kind === 'task-complete') return undefined
  const lost = [...(framesLossyFields['*'] ?? []), ...(framesLossyFields[kind as EventKind] ?? [])]
  const rest = Object.entries(event).filter(([field]) => !lost.includes(field) || field === 'taskId')
  return Object.fromEntries(rest)
}

/** What survives of each task. Text segments separated only by dropped events are joined. */
function lastingByTask(events: readonly ContextAnyEvent[], dropped: ReadonlySet<string>): object {
  const tasks: Record<string, { kind?: string; content?: string }[]> = {}
  for (const event of events) {
    const kept: { kind?: string; content?: string } | undefined = lasting(event, dropped)
    if (kept === undefined) continue
    // A result that was not streamed is restored as output.
    if (kept.kind === 'tool-progress') continue
    tasks[event.taskId] ??= []
    const list = tasks[event.taskId] ?? []
    const last = list.at(-1)
    if (kept.kind !== 'content-complete') list.push(kept)
    else if (last?.kind === 'content-complete') last.content = `${last.content}${kept.content}`
    else if (kept.content !== '') list.push(kept)
  }
  return tasks
}

describe('events → frames → events', () => {
  it.each(['v1', 'v2'] as const)('maps legal events to a legal log in version %s', (version) => {
    fc.assert(
      fc.property(legalEvents, (events) => {
        expectLegal(events)
        expect(violationsOf(toLog(events, version, 'a').frames, version)).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  it('restores the events except for the declared losses, and reports each loss', () => {
    fc.assert(
      fc.property(legalEvents, (events) => {
        const { frames, diagnostics } = toLog(events, 'v2', 'a')
        const { events: back } = toEvents(frames)
        expectLegal(back)
        const dropped = new Set(
          diagnostics
            .filter(({ code }) => code.startsWith('dropped:'))
            .map(({ code }) => code.slice('dropped:'.length)),
        )
        expect(lastingByTask(back, new Set([...dropped, 'task-status']))).toEqual(
          lastingByTask(events, new Set([...dropped, 'task-status'])),
        )
      }),
      { numRuns: runs(300) },
    )
  })

  it('loses no output and no text', () => {
    fc.assert(
      fc.property(legalEvents, (events) => {
        const { events: back } = toEvents(toLog(events, 'v1', 'a').frames)
        expect(textByTask(back)).toEqual(textByTask(events))
        expect(outputByCall(back)).toEqual(withResults(events, outputByCall(events)))
      }),
      { numRuns: runs(300) },
    )
  })
})

/** The text of each task. */
function textByTask(events: readonly ContextAnyEvent[]): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const event of events) {
    if (event.kind !== 'content-complete' || event.content === '') continue
    texts[event.taskId] = (texts[event.taskId] ?? '') + event.content
  }
  return texts
}

/** The output of each call, stdout and stderr apart. */
function outputByCall(events: readonly ContextAnyEvent[]): Record<string, string> {
  const outputs: Record<string, string> = {}
  for (const event of events) {
    if (event.kind !== 'tool-progress') continue
    const { chunk = '', stream } = event.metadata ?? {}
    if (chunk === '') continue
    const call = `${event.taskId} ${event.toolCallId} ${stream}`
    outputs[call] = `${outputs[call] ?? ''}${chunk}`
  }
  return outputs
}

/** The output with the results of calls that streamed none: they are written as output. */
function withResults(
  events: readonly ContextAnyEvent[],
  outputs: Readonly<Record<string, string>>,
): Record<string, string> {
  const all = { ...outputs }
  for (const event of events) {
    if (event.kind !== 'tool-complete' || event.result === undefined || event.result === null) continue
    const { taskId, toolCallId, result } = event
    if (events.some((other) => other.kind === 'tool-progress' && other.toolCallId === toolCallId)) continue
    const text = typeof result === 'string' ? result : JSON.stringify(result)
    if (text !== '') all[`${taskId} ${toolCallId} stdout`] = text
  }
  return all
}
