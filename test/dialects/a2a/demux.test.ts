// Proves where a task ends in a stream of several.

import { describe, expect, it } from 'vitest'
import { run } from '../../../src/core/machine.ts'
import { demuxTasks, toA2a } from '../../../src/dialects/a2a/index.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { formatItem } from './notation.ts'

const ids = { contextId: 'c', timestamp: '2026-03-04T05:06:07Z' }
const created = (taskId: string): ContextAnyEvent => ({
  kind: 'task-created',
  initiator: 'user',
  ...ids,
  taskId,
})
const status = (taskId: string, state: 'working' | 'completed' | 'failed'): ContextAnyEvent => ({
  kind: 'task-status',
  status: state,
  ...ids,
  taskId,
})
const result = (taskId: string, content?: string): ContextAnyEvent => ({
  kind: 'task-complete',
  ...ids,
  taskId,
  ...(content !== undefined && { content }),
})

/** What each event gives, as the task and its items. */
function outputsOf(events: readonly unknown[], options = {}): [outputs: string[][], codes: string[]] {
  const codes: string[] = []
  const mapper = run(demuxTasks(toA2a({ version: '1.0' }), options), {
    onDiagnostic: ({ code, detail }) => {
      if (!code.startsWith('lossy:'))
        codes.push(`${code} ${(detail as { reason?: string }).reason ?? ''}`.trim())
    },
  })
  const textOf = ({ taskId, event }: { taskId: string; event: unknown }): string =>
    `${taskId}: ${formatItem('1.0', event)}`
  const outputs = events.map((event) => mapper.push(event as ContextAnyEvent).map(textOf))
  return [[...outputs, mapper.end().map(textOf)], codes]
}

describe('a task that ends by its status alone', () => {
  it.each(['completed', 'failed'] as const)('ends at once if it has %s', (state) => {
    const [[, , , end = []], codes] = outputsOf([
      created('a'),
      created('b'),
      status('a', 'working'),
      status('a', state),
    ])
    expect(end).toEqual([expect.stringMatching(`^a: S ${state}`)])
    expect(codes).toEqual([])
  })

  it('drops a result that follows', () => {
    const [outputs, codes] = outputsOf([created('a'), status('a', 'completed'), result('a', '42')])
    expect(outputs).toEqual([['a: T submitted'], ['a: S completed'], [], []])
    expect(codes).toEqual(['dropped:task-complete after-end'])
  })

  it('waits for the result if told so', () => {
    const [outputs, codes] = outputsOf(
      [created('a'), status('a', 'completed'), created('b'), result('a', '42')],
      {
        awaitResult: true,
      },
    )
    expect(outputs).toEqual([
      ['a: T submitted'],
      [],
      ['b: T submitted'],
      ['a: A a:content . "42"', 'a: S completed'],
      [expect.stringMatching(/^b: S failed/)],
    ])
    expect(codes).toEqual([])
  })

  it('is over at the end of the input, however long it waits', () => {
    const [outputs] = outputsOf([created('a'), status('a', 'completed')], { awaitResult: true })
    expect(outputs.at(-1)).toEqual(['a: S completed'])
  })
})

it('copies events of a task after its status', () => {
  const { push } = run(demuxTasks())
  const events = [created('a'), status('a', 'completed'), result('a', '42')]
  expect(events.flatMap((event) => push(event))).toEqual(events.map((event) => ({ taskId: 'a', event })))
  expect(push(result('a'))).toEqual([])
})

it('reports what is not an event, and ends no task for it', () => {
  const invalid = { kind: 'task-complete', contextId: 'c', taskId: 'a' }
  const [outputs, codes] = outputsOf([created('a'), invalid, null, 'x', [], status('a', 'working')])
  expect(outputs.slice(1, 6)).toEqual([[], [], [], [], ['a: S working']])
  expect(codes).toEqual(['invalid-event', 'invalid-event', 'invalid-event', 'invalid-event'])
})

it('ends the tasks in the order in which they began', () => {
  const taskIds = Array.from({ length: 40 }, (_, i) => `task-${i}`)
  const [outputs] = outputsOf(taskIds.map((taskId) => created(taskId)))
  expect(outputs.at(-1)?.map((text) => text.split(':')[0])).toEqual(taskIds)
})

it('holds a bounded number of tasks', () => {
  const machine = demuxTasks(toA2a({ version: '1.0' }))
  let state = machine.initial
  const codes = new Set<string>()
  for (let i = 0; i < 9000; i++) {
    const step = machine.step(state, created(`task-${i}`))
    state = step.state
    for (const { code } of step.diagnostics ?? []) codes.add(code)
  }
  expect([...codes]).toContain('state-evicted')
  expect(machine.end(state).out.length).toBeLessThanOrEqual(8192)
})
