// Tests that a snapshot folds to its view, is legal, and is short.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTerminalStatus } from '../../../../src/events/task-status.ts'
import { type ContextAnyEvent, decodeEvent } from '../../../../src/index.ts'
import {
  closeDangling,
  emptyView,
  foldEvents,
  project,
  snapshotEvents,
  type View,
  type Violation,
} from '../../../../src/streams/index.ts'
import { withLabels } from '../../../support/legal-streams/labels.ts'
import { runs } from '../../../support/runs.ts'
import { approvalStreams, errorsIn, soundStreams, strayStreams } from '../../verify/support.ts'
import { context, created, events, file, record } from '../support.ts'

const labels = { thoughtType: 'reasoning', verbosity: 'normal' }
const open = (thoughtId: string): object => ({ kind: 'thought-delta', thoughtId, ...labels })
const thought = (thoughtId: string, index: number): object => ({
  kind: 'thought-stream',
  thoughtId,
  content: 'x',
  index,
  ...labels,
})

/** What a snapshot restores. */
function restored({ contextId, tasks, artifacts }: View): Omit<View, 'diagnostics'> {
  return { contextId, tasks: tasks.map((task) => ({ ...task, updatedAt: null })), artifacts }
}

const cutStreams = fc
  .tuple(
    fc.boolean(),
    fc.nat(),
    fc.oneof(
      soundStreams({ maxChoices: 80 }),
      soundStreams({ maxChoices: 40, sharedArtifacts: true, focus: 'artifacts' }),
      soundStreams({ maxChoices: 40, focus: 'texts' }),
      approvalStreams,
    ),
  )
  .map(([isCut, n, events]) => (isCut ? events.slice(0, n % (events.length + 1)) : events))

/** The streams with other ids, which may be names that objects have already. */
function renamed(
  events: readonly ContextAnyEvent[],
  ids: Readonly<Record<string, string>>,
): ContextAnyEvent[] {
  const rename = (text: string): string => `"${ids[text] ?? text}"`
  return JSON.parse(
    JSON.stringify(events).replaceAll(/"([a-z]+-\d)"/g, (_, id: string) => rename(id)),
  ) as ContextAnyEvent[]
}

/** Whether several tasks wrote to an artifact. */
function hasSharedArtifacts({ tasks, artifacts }: View): boolean {
  const parts = tasks.flatMap(({ parts }) => parts.filter(({ type }) => type === 'artifact'))
  return parts.length > artifacts.length
}

/** Whether an event is earlier than one before it in its task that everyone is shown. */
function isBeforePublic(events: readonly ContextAnyEvent[], position: number): boolean {
  const { taskId, timestamp } = events[position] as ContextAnyEvent
  const everyone = { audience: 'observer', thoughts: { maxVerbosity: 'none' } } as const
  return events.slice(0, position).some((event) => {
    if (event.taskId !== taskId || event.parentTaskId !== undefined || event.kind === 'custom') return false
    return project(event, everyone) !== undefined && Date.parse(event.timestamp) > Date.parse(timestamp)
  })
}

/** How many texts of a stream came without a delta. */
function wholeTexts(events: readonly ContextAnyEvent[]): number {
  const open = new Set<string>()
  let count = 0
  for (const event of events) {
    if (event.kind !== 'content-delta' && event.kind !== 'content-complete') continue
    const text = `${event.taskId} ${event.contentId}`
    if (event.kind === 'content-delta') open.add(text)
    else if (!open.delete(text)) count++
  }
  return count
}

describe('laws', () => {
  it('folds to the view of any legal stream, wherever it stops, in no more events', () => {
    fc.assert(
      fc.property(cutStreams, (events) => {
        const view = foldEvents(emptyView, events)
        const snapshot = snapshotEvents(view)
        const again = foldEvents(emptyView, snapshot)
        expect(restored(again)).toEqual(restored(view))
        expect(snapshot).toStrictEqual(JSON.parse(JSON.stringify(snapshot)))
        expect(snapshotEvents(JSON.parse(JSON.stringify(view)) as View)).toEqual(snapshot)
        // A text that came whole may have a delta, so that it stays open as long as the result repeats it.
        const most = events.length + wholeTexts(events)
        if (!hasSharedArtifacts(view)) expect(snapshot.length).toBeLessThanOrEqual(most)
      }),
      { numRuns: runs(300) },
    )
  })

  it('keeps the labels of items', () => {
    const label = fc.option(fc.subarray(['user', 'parent', 'operator']), { nil: undefined })
    fc.assert(
      fc.property(cutStreams, fc.array(label, { minLength: 1, maxLength: 9 }), (stream, labels) => {
        const view = foldEvents(emptyView, withLabels(stream, labels))
        expect(restored(foldEvents(emptyView, snapshotEvents(view)))).toEqual(restored(view))
      }),
      { numRuns: runs(200) },
    )
  })

  it('keeps ids that are names of fields', () => {
    const ids = {
      'task-1': '__proto__',
      'call-1': 'constructor',
      'file-1': '__proto__',
      'text-1': 'toString',
    }
    fc.assert(
      fc.property(cutStreams, (stream) => {
        const view = foldEvents(emptyView, renamed(stream, ids))
        expect(restored(foldEvents(emptyView, snapshotEvents(view)))).toEqual(restored(view))
      }),
      { numRuns: runs(100) },
    )
  })

  it('restores the time of the latest event whose time the view holds', () => {
    fc.assert(
      fc.property(cutStreams, (stream) => {
        const view = foldEvents(emptyView, stream)
        const { tasks } = foldEvents(emptyView, snapshotEvents(view))
        for (const [i, { updatedAt, status, statusAt, parts, createdAt }] of tasks.entries()) {
          const original = view.tasks[i]?.updatedAt ?? null
          if (updatedAt === original) continue
          expect([createdAt, statusAt, ...parts.map(({ at }) => at)]).toContain(updatedAt)
          expect(Date.parse(`${updatedAt}`)).toBeLessThanOrEqual(Date.parse(`${original}`))
          if (isTerminalStatus(status)) expect(updatedAt).toBe(statusAt)
        }
      }),
      { numRuns: runs(200) },
    )
  })

  it('is legal if the stream was', () => {
    fc.assert(
      fc.property(cutStreams, (stream) => {
        const view = foldEvents(emptyView, stream)
        const before = new Set(errorsIn(stream).map(({ rule }) => rule))
        // A view does not tell whether a task had ended before another one began to write an artifact again.
        if (view.diagnostics.some(({ code }) => code === 'abandoned-write')) before.add('one-write')
        const snapshot = snapshotEvents(view)
        const isAllowed = ({ rule, eventIndex }: Violation): boolean =>
          before.has(rule) || (rule === 'time-order' && !isBeforePublic(snapshot, eventIndex ?? 0))
        expect(errorsIn(snapshot).filter((violation) => !isAllowed(violation))).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  it('has no more chunks of an unfinished artifact than it had, if two tasks write two artifacts together', () => {
    const sub = { taskId: 'sub', parentTaskId: context.taskId }
    const chunk = { complete: false, data: '', rows: [] }
    const write = (artifactId: string, index: number): object => ({
      kind: artifactId === 'f' ? 'file-write' : 'dataset-write',
      artifactId,
      ...chunk,
      index,
    })
    const stream = [
      created,
      ...events(
        write('f', 0),
        { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
        { kind: 'task-created', ...sub, initiator: 'agent' },
        { ...write('f', 1), ...sub },
        write('d', 0),
        write('f', 2),
        { ...write('d', 1), ...sub },
      ),
    ]
    const snapshot = snapshotEvents(foldEvents(emptyView, stream))
    for (const some of [stream, snapshot]) {
      expect(errorsIn(some).filter(({ rule }) => rule !== 'task-ends')).toEqual([])
    }
    expect(restored(foldEvents(emptyView, snapshot))).toEqual(restored(foldEvents(emptyView, stream)))
  })

  it('keeps texts open together whose result joins them, also if some are empty or share an id', () => {
    const text = (fields: object): object => ({ kind: 'content-complete', ...fields })
    const delta = (fields: object): object => ({ kind: 'content-delta', delta: '', index: 0, ...fields })
    const stream = [
      created,
      ...events(
        delta({}),
        text({ contentId: 'a', content: 'A' }),
        delta({ contentId: 'a' }),
        text({ content: '' }),
        text({ contentId: 'a', content: '' }),
        { kind: 'task-complete', content: 'A' },
      ),
    ]
    expect(errorsIn(stream)).toEqual([])
    expect(errorsIn(snapshotEvents(foldEvents(emptyView, stream)))).toEqual([])
  })

  it('keeps any texts open together whose result joins them, whatever their ids', () => {
    // An id opens a text, and the next time completes it.
    const ids = fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 2, maxLength: 8 })
    fc.assert(
      fc.property(ids, fc.nat({ max: 2 }), (order, from) => {
        const open = new Map<string, string>()
        const contents: string[] = []
        const complete = (contentId: string, content: string): object => {
          open.delete(contentId)
          return { kind: 'content-complete', contentId, content }
        }
        const texts = order.map((contentId) => {
          const content = open.get(contentId)
          if (content !== undefined) return complete(contentId, content)
          const delta = 'ABCDEFGH'[contents.length] as string
          contents.push(delta)
          open.set(contentId, delta)
          return { kind: 'content-delta', contentId, delta, index: 0 }
        })
        const ends = [...open].map(([id, content]) => complete(id, content))
        const result = { kind: 'task-complete', content: contents.slice(from).join('') }
        const stream = [created, ...events(...texts, ...ends, result)]
        fc.pre(errorsIn(stream).length === 0)
        expect(errorsIn(snapshotEvents(foldEvents(emptyView, stream)))).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  it('is followed by the rest of the stream as the stream was', () => {
    fc.assert(
      fc.property(cutStreams, fc.nat(), (stream, n) => {
        const at = n % (stream.length + 1)
        const snapshot = snapshotEvents(foldEvents(emptyView, stream.slice(0, at)))
        const whole = foldEvents(emptyView, [...snapshot, ...stream.slice(at)])
        expect(restored(whole)).toEqual(restored(foldEvents(emptyView, stream)))
      }),
      { numRuns: runs(200) },
    )
  })

  it('consists of valid events, whatever the stream', () => {
    fc.assert(
      fc.property(strayStreams, (stream) => {
        for (const event of snapshotEvents(foldEvents(emptyView, stream))) {
          expect(decodeEvent(JSON.parse(JSON.stringify(event)))).toEqual({ status: 'known', event })
        }
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('a snapshot', () => {
  it('has no events for an empty view', () => {
    expect(snapshotEvents(emptyView)).toEqual([])
  })

  it('has one event for a whole text, and a delta for each stretch of one that goes on', () => {
    const later = '2026-01-01T00:00:09Z'
    const stream = [
      created,
      ...events(
        { kind: 'content-delta', delta: 'Let me ', index: 0 },
        { kind: 'content-delta', delta: 'look.', index: 1 },
        { kind: 'content-complete', content: 'Let me look.' },
        { kind: 'content-delta', delta: 'It ', index: 0 },
        { kind: 'content-delta', delta: 'is', index: 1 },
        { kind: 'tool-start', toolCallId: 'c', toolName: 'search', arguments: {} },
        { kind: 'content-delta', delta: ' sunny', index: 2, timestamp: later },
      ),
    ]
    expect(snapshotEvents(foldEvents(emptyView, stream))).toEqual([
      created,
      { kind: 'content-complete', ...context, content: 'Let me look.' },
      { kind: 'content-delta', ...context, delta: 'It is', index: 0, indexEnd: 1 },
      { kind: 'tool-start', ...context, toolCallId: 'c', toolName: 'search', arguments: {} },
      { kind: 'content-delta', ...context, delta: ' sunny', index: 2, timestamp: later },
    ])
  })

  it('shows a text to those who may see all of its stretches', () => {
    const stream = [
      created,
      ...events(
        { kind: 'content-delta', delta: 'a', index: 0 },
        { kind: 'content-delta', delta: 'b', index: 1, metadata: { audience: ['parent'] } },
        { kind: 'content-complete', content: 'ab' },
      ),
    ]
    expect(snapshotEvents(foldEvents(emptyView, stream)).at(-1)).toEqual({
      kind: 'content-complete',
      ...context,
      content: 'ab',
      metadata: { audience: ['parent'] },
    })
  })

  it('has the tasks and artifacts of several contexts', () => {
    const stream = [created, ...events({ kind: 'data-write', artifactId: 'a', data: {} })]
    const both = [...stream, ...stream.map((event) => ({ ...event, contextId: 'other' }))]
    const view = foldEvents(emptyView, both)
    expect(foldEvents(emptyView, snapshotEvents(view))).toEqual(view)
  })

  it('announces hundreds of subtasks legally', () => {
    const stream: ContextAnyEvent[] = [created]
    for (let n = 0; n < 600; n++) {
      const sub = { ...context, taskId: `sub-${n}`, parentTaskId: context.taskId }
      stream.push(
        ...(events({ kind: 'subtask-created', subtaskId: sub.taskId, prompt: '' }) as ContextAnyEvent[]),
      )
      stream.push({ kind: 'task-created', ...sub, initiator: 'agent' })
      stream.push({ kind: 'task-status', ...sub, status: 'completed' })
    }
    stream.push(...events({ kind: 'task-status', status: 'completed' }))
    const view = foldEvents(emptyView, stream)
    const snapshot = snapshotEvents(view)
    expect(errorsIn(snapshot)).toEqual([])
    expect(foldEvents(emptyView, snapshot)).toEqual(view)
  })
})

describe('extremes', () => {
  const max = Number.MAX_SAFE_INTEGER

  it.each([
    ['a write after the largest version', [record({}, { version: max }), record({ x: 1 })]],
    ['a file after the largest version', [file('a', 0, true, { version: max }), file('b', 0, true)]],
    ['a delta with the largest index', [{ kind: 'content-delta', delta: 'a', index: max }]],
    ['a chunk up to the largest index', [file('a', 0, false, { indexEnd: max })]],
    ['a thought with the largest index', [thought('a', max), { ...open('b'), delta: 'x', index: 0 }]],
  ])('%s gives only valid events, which restore it', (_, list) => {
    const view = foldEvents(emptyView, [created, ...events(...list)])
    const snapshot = snapshotEvents(view)
    const closing = closeDangling(view, { reason: 'r', at: context.timestamp })
    for (const event of [...snapshot, ...closing]) expect(decodeEvent(event).status).toBe('known')
    expect(restored(foldEvents(emptyView, snapshot))).toEqual(restored(view))
  })

  it('states a long path once, not in each event', () => {
    const path = Array.from({ length: 1000 }, (_, n) => `agent-${n}`)
    const many = Array.from({ length: 1000 }, (_, data) => ({ kind: 'custom', name: 'a.b', data }))
    const stream = [{ ...created, path }, ...events(...many)]
    const view = foldEvents(emptyView, stream)
    const snapshot = snapshotEvents(view)
    expect(JSON.stringify(snapshot).length).toBeLessThanOrEqual(JSON.stringify(stream).length)
    expect(restored(foldEvents(emptyView, snapshot))).toEqual(restored(view))
  })

  it('compares the result of a task with each of its texts once', () => {
    const empty = Array.from({ length: 1000 }, () => ({ kind: 'content-complete', content: '' }))
    const ends = [
      { kind: 'content-complete', content: 'y' },
      { kind: 'task-complete', content: 'x' },
    ]
    const view = foldEvents(emptyView, [created, ...events(...empty, ...ends)])
    let reads = 0
    for (const part of view.tasks[0]?.parts ?? []) {
      const { text } = part as { text: string }
      const get = (): string => {
        reads++
        return text
      }
      Object.defineProperty(part, 'text', { enumerable: true, get })
    }
    snapshotEvents(view)
    expect(reads).toBeLessThan(20 * 1000)
  })
})
