// Proves which turns a task gets: those of the tasks that began before it, in the order in which they began.
import fc from 'fast-check'
import { type ContextAnyEvent, createEmitter } from 'turnstream'
import { describe, expect, it } from 'vitest'
import { turnsOf } from '../../src/turns/index.ts'

/** The events of a task by what becomes of it. */
function taskOf(taskId: string) {
  const { emit } = createEmitter({ contextId: 'c', taskId })
  return {
    submit: (): ContextAnyEvent[] => [
      emit({ kind: 'task-created', initiator: 'user', metadata: { input: taskId } }),
      emit({ kind: 'task-status', status: 'submitted' }),
    ],
    answer: (): ContextAnyEvent[] => [
      emit({ kind: 'task-status', status: 'working' }),
      emit({ kind: 'content-complete', content: `to ${taskId}` }),
      emit({ kind: 'task-status', status: 'completed' }),
    ],
    cancel: (): ContextAnyEvent[] => [emit({ kind: 'task-status', status: 'canceled' })],
  }
}

const said = (events: readonly ContextAnyEvent[], taskId: string): unknown[] =>
  turnsOf(events, { contextId: 'c', taskId }).map((turn) =>
    turn.role === 'user' ? turn.content : turn.role === 'assistant' ? turn.text : turn.results,
  )

describe('the turns of a task', () => {
  it('have nothing that waits behind it, and nothing that was canceled before it began', () => {
    const [a, b, c, d] = [taskOf('a'), taskOf('b'), taskOf('c'), taskOf('d')]
    const events = [a.submit(), a.answer(), b.submit(), c.submit(), d.submit(), c.cancel(), b.answer()].flat()
    expect(said(events.slice(0, -3), 'b')).toEqual(['a', 'to a', 'b'])
    expect(said(events, 'd')).toEqual(['a', 'to a', 'b', 'to b', 'd'])
  })

  it('are all messages and answers before it, in any queue', () => {
    const queue = fc.array(fc.record({ isCanceled: fc.boolean(), behind: fc.nat(4) }), { maxLength: 8 })
    fc.assert(
      fc.property(queue, (messages) => {
        const tasks = messages.map((_, i) => taskOf(`m${i}`))
        const events: ContextAnyEvent[] = []
        const expected: unknown[] = []
        let submitted = 0
        tasks.forEach((task, i) => {
          const { isCanceled = false, behind = 0 } = messages[i] ?? {}
          for (; submitted <= Math.min(i + behind, tasks.length - 1); submitted++)
            events.push(...(tasks[submitted]?.submit() ?? []))
          if (isCanceled) {
            events.push(...task.cancel())
            return
          }
          expect(said(events, `m${i}`)).toEqual([...expected, `m${i}`])
          events.push(...task.answer())
          expected.push(`m${i}`, `to m${i}`)
        })
      }),
    )
  })

  it('have the calls and results of a task whose turns are no longer there', () => {
    const { emit } = createEmitter({ contextId: 'c', taskId: 'a' })
    const events = [
      emit({ kind: 'task-created', initiator: 'user', metadata: { input: 'a' } }),
      emit({ kind: 'task-status', status: 'working' }),
      emit({ kind: 'content-complete', content: 'I will book.' }),
      emit({ kind: 'tool-start', toolCallId: 'k', toolName: 'book', arguments: { seats: 2 } }),
      emit({ kind: 'tool-start', toolCallId: 'l', toolName: 'pay', arguments: {} }),
      emit({ kind: 'tool-complete', toolCallId: 'l', toolName: 'pay', success: false, error: 'No card.' }),
      emit({ kind: 'tool-complete', toolCallId: 'k', toolName: 'book', success: true, result: 4711 }),
      emit({ kind: 'content-complete', content: 'Booked.' }),
      emit({ kind: 'task-status', status: 'completed' }),
    ]
    const call = { status: 'complete' } as const
    expect(turnsOf(events, { contextId: 'c', taskId: 'b' })).toEqual([
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        text: 'I will book.',
        calls: [
          { ...call, toolCallId: 'k', toolName: 'book', arguments: '{"seats":2}' },
          { ...call, toolCallId: 'l', toolName: 'pay', arguments: '{}' },
        ],
      },
      {
        role: 'tool',
        results: [
          { toolCallId: 'k', toolName: 'book', success: true, result: 4711 },
          { toolCallId: 'l', toolName: 'pay', success: false, error: 'No card.' },
        ],
      },
      { role: 'assistant', text: 'Booked.' },
    ])
  })

  it('have what began before it, after a restart', () => {
    const [a, b] = [taskOf('a'), taskOf('b')]
    const [created, submitted, working, answer, completed] = [...a.submit(), ...a.answer()]
    const events = [created, submitted, working, ...b.submit(), ...b.answer(), answer, completed]
    expect(said(events as ContextAnyEvent[], 'a')).toEqual(['a', 'to a'])
  })
})
