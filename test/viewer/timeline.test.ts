// Proves that each event has one row, that rows enclose their events, and that gaps are what a plain search finds.

import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import { describe, expect, it } from 'vitest'
import { familyOf } from '../../src/viewer/model/family.ts'
import { Recording } from '../../src/viewer/model/recording.ts'
import { GAP_MS, type Row, visibleRows } from '../../src/viewer/model/row.ts'
import { MAX_LEVELS } from '../../src/viewer/model/timeline.ts'
import { legalStreams } from '../support/legal-streams.ts'

function recordingOf(events: readonly ContextAnyEvent[]): Recording {
  const recording = new Recording()
  for (const [i, event] of events.entries()) recording.add(event, i + 1)
  return recording
}

function allRows({ timeline }: Recording): Row[] {
  return visibleRows(timeline.roots, new Set()).map(({ row }) => row)
}

/** Whether a row is another one or below it. */
function isWithin(row: Row | undefined, above: Row): boolean {
  for (let at = row; at !== undefined; at = at.parent) if (at === above) return true
  return false
}

/** The same events, as if they came in with long pauses. */
const pausing = fc.tuple(legalStreams(), fc.array(fc.nat(3000), { minLength: 1 })).map(([events, pauses]) => {
  let ms = Date.UTC(2026, 0, 1)
  return events.map((event, i) => {
    ms += pauses[i % pauses.length] ?? 0
    return { ...event, timestamp: new Date(ms).toISOString() }
  })
})

describe('the rows of a legal stream', () => {
  it('hold each event once, and enclose their events', () => {
    fc.assert(
      fc.property(legalStreams(), (events) => {
        const recording = recordingOf(events)
        const rows = allRows(recording)
        expect(new Set(rows).size).toBe(rows.length)
        expect(recording.timeline.size).toBe(rows.length)
        expect(recording.timeline.rowOf).toHaveLength(events.length)
        const counts = new Map<Row, number>()
        for (const [i, row] of recording.timeline.rowOf.entries()) {
          expect(row.first).toBeLessThanOrEqual(i)
          expect(row.last).toBeGreaterThanOrEqual(i)
          expect(row.family).toBe(familyOf(events[i]?.kind ?? ''))
          counts.set(row, (counts.get(row) ?? 0) + 1)
        }
        for (const row of rows) expect(row.count).toBe(counts.get(row) ?? 0)
        for (const row of rows) for (const child of row.children) expect(child.parent).toBe(row)
      }),
    )
  })

  it('are those of the tasks and of what has an id', () => {
    fc.assert(
      fc.property(legalStreams(), (events) => {
        const recording = recordingOf(events)
        const rows = allRows(recording)
        const announced = events.flatMap((event) => ('subtaskId' in event ? [event.subtaskId] : []))
        const tasks = new Set([...events.map(({ taskId }) => taskId), ...announced])
        expect(recording.tasks).toBe(tasks.size)
        expect(rows.filter(({ family }) => family === 'task')).toHaveLength(tasks.size)
        const calls = events.flatMap((event) =>
          'toolCallId' in event && familyOf(event.kind) === 'tool'
            ? [`${event.taskId} ${event.toolCallId}`]
            : [],
        )
        expect(rows.filter(({ family }) => family === 'tool')).toHaveLength(new Set(calls).size)
        // Subtasks are announced before they begin: only the first task is at the top.
        expect(recording.timeline.roots).toHaveLength(1)
      }),
    )
  })

  it('have the gaps that a search of their events finds', () => {
    fc.assert(
      fc.property(pausing, (events) => {
        const recording = recordingOf(events)
        const { times, timeline } = recording
        const [root] = timeline.roots
        if (root === undefined) return
        const own = events.flatMap((_, i) => (isWithin(timeline.rowOf[i], root) ? [i] : []))
        const expected = own.flatMap((index, at) => {
          const fromMs = times[own[at - 1] ?? index] ?? 0
          const toMs = times[index] ?? 0
          return toMs - fromMs >= GAP_MS ? [{ index, fromMs, toMs }] : []
        })
        expect(root.gaps).toEqual(expected)
      }),
    )
  })

  it('show what is not below a collapsed row', () => {
    fc.assert(
      fc.property(legalStreams(), fc.array(fc.nat(), { maxLength: 4 }), (events, chosen) => {
        const recording = recordingOf(events)
        const rows = allRows(recording)
        const collapsed = new Set(chosen.flatMap((i) => rows[i % rows.length] ?? []))
        const visible = visibleRows(recording.timeline.roots, collapsed)
        const isHidden = (row: Row): boolean =>
          row.parent !== undefined && (collapsed.has(row.parent) || isHidden(row.parent))
        expect(visible.map(({ row }) => row)).toEqual(rows.filter((row) => !isHidden(row)))
        for (const { row, level, position, siblings } of visible) {
          const list = row.parent?.children ?? recording.timeline.roots
          expect(list[position - 1]).toBe(row)
          expect(siblings).toBe(list.length)
          let above = 0
          for (let at = row.parent; at !== undefined; at = at.parent) above++
          expect(level).toBe(above + 1)
        }
      }),
    )
  })
})

const timestamp = '2026-01-01T00:00:00Z'

describe('faulty streams', () => {
  it('tasks that name one another as parent stay in the tree', () => {
    const parentOf = (taskId: string, parentTaskId: string): ContextAnyEvent => ({
      kind: 'task-created',
      taskId,
      parentTaskId,
      contextId: 'c',
      initiator: 'agent',
      timestamp,
    })
    const subtask = (taskId: string, subtaskId: string): ContextAnyEvent => ({
      kind: 'subtask-created',
      taskId,
      subtaskId,
      contextId: 'c',
      prompt: '',
      timestamp,
    })
    const recording = recordingOf([
      subtask('a', 'b'),
      subtask('b', 'a'),
      parentOf('a', 'b'),
      parentOf('c', 'c'),
    ])
    expect(allRows(recording).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  })

  it.each(['down', 'up'] as const)('levels are bounded, built %s', (direction) => {
    const ids = Array.from({ length: 500 }, (_, i) => `t${i}`)
    const pairs = ids.slice(1).map((id, i) => [ids[i] ?? '', id] as const)
    const events = (direction === 'down' ? pairs : pairs.reverse()).map(
      ([taskId, subtaskId]): ContextAnyEvent => ({
        kind: 'subtask-created',
        taskId,
        subtaskId,
        contextId: 'c',
        prompt: '',
        timestamp,
      }),
    )
    const visible = visibleRows(recordingOf(events).timeline.roots, new Set())
    expect(visible).toHaveLength(500)
    expect(Math.max(...visible.map(({ level }) => level))).toBeLessThanOrEqual(MAX_LEVELS + 1)
  })

  it('fields of any type are shown', () => {
    const odd = { kind: 'acme', contextId: 1, taskId: null, name: {}, timestamp: 'never' }
    const recording = recordingOf([odd as unknown as ContextAnyEvent])
    expect(allRows(recording).map(({ family, label }) => [family, label])).toEqual([
      ['task', ''],
      ['custom', 'acme'],
    ])
  })
})

describe('figures of a row', () => {
  const event = (ms: number, kind: string, fields: object): ContextAnyEvent =>
    ({
      kind,
      contextId: 'c',
      taskId: 't',
      timestamp: new Date(ms).toISOString(),
      ...fields,
    }) as ContextAnyEvent

  it('the first token, the run of a tool, and a text that is interrupted', () => {
    const recording = recordingOf([
      event(0, 'task-created', { initiator: 'user' }),
      event(300, 'content-delta', { index: 0, delta: 'a' }),
      event(400, 'tool-arguments-delta', { toolCallId: 'x', toolName: 'f', index: 0, delta: '{}' }),
      event(500, 'tool-start', { toolCallId: 'x', toolName: 'f', arguments: {} }),
      event(600, 'tool-complete', { toolCallId: 'x', toolName: 'f', success: false }),
      event(700, 'content-delta', { index: 1, delta: 'b' }),
      event(800, 'content-complete', { content: 'ab' }),
    ])
    const [task, ...parts] = allRows(recording)
    expect(task?.firstToken).toBe(1)
    expect(
      parts.map(({ family, status, first, last, runsFrom }) => [family, status, first, last, runsFrom]),
    ).toEqual([
      ['text', 'done', 1, 1, undefined],
      ['tool', 'failed', 2, 4, 3],
      ['text', 'done', 5, 6, undefined],
    ])
  })
})
