// Proves who an event is for and who may answer it, and what is learnt of who spawned whom.
import {
  addToTaskTree,
  audienceOf,
  audiences,
  emptyTaskTree,
  type RoutedEvent,
  respondersOf,
} from 'agentwire/streams'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import rules from '../../fixtures/streams/route/rules.json' with { type: 'json' }
import { delta, thought } from '../log/support.ts'

describe('audienceOf and respondersOf', () => {
  test.each(rules.cases)('$why', ({ event, for: meant, answer = [], forwardNothing }) => {
    const full = { contextId: 'ctx-1', ...event } as RoutedEvent
    const options = forwardNothing === true ? { forward: () => false } : {}
    expect(audienceOf(full, rules.tree, options)).toEqual(meant === 'everybody' ? audiences : meant)
    expect(respondersOf(full)).toEqual(answer)
  })

  it('reach the user with what only the user can answer, whatever the tree', () => {
    const tree = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('a', 'b', 'c', 'd'))
    const ask = fc.constantFrom({ kind: 'auth-required' }, { kind: 'input-required', requireUser: true })
    fc.assert(
      fc.property(tree, ask, fc.constantFrom('a', 'b', 'd'), (tree, event, taskId) => {
        expect(audienceOf({ contextId: 'ctx-1', taskId, ...event }, tree)).toContain('user')
      }),
    )
  })
})

describe('growTree', () => {
  const created = (taskId: string, subtaskId: string) => ({
    kind: 'subtask-created',
    contextId: 'c',
    taskId,
    subtaskId,
  })
  const stamped = (taskId: string, parentTaskId: string) => ({
    kind: 'task-status',
    contextId: 'c',
    taskId,
    parentTaskId,
  })
  const grow = (...events: RoutedEvent[]) => events.reduce(addToTaskTree, emptyTaskTree)

  it('learns from both ends, and keeps what it learnt first', () => {
    expect(grow(created('a', 'b'), stamped('c', 'b'), stamped('b', 'x'))).toEqual({ b: 'a', c: 'b' })
  })
  it('learns of both tasks from a subtask that spawns one', () => {
    expect(grow({ ...created('b', 'c'), parentTaskId: 'a' } as RoutedEvent)).toEqual({ b: 'a', c: 'b' })
    expect(grow({ ...created('b', 'a'), parentTaskId: 'a' } as RoutedEvent)).toEqual({ b: 'a' })
  })
  it('stays the same where an event tells nothing new', () => {
    const tree = grow(created('a', 'b'))
    expect(addToTaskTree(tree, stamped('b', 'a'))).toBe(tree)
    expect(addToTaskTree(tree, delta(0))).toBe(tree)
    expect(addToTaskTree(tree, { ...created('a', 'b'), subtaskId: 7 } as RoutedEvent)).toBe(tree)
  })
  it('never makes a task its own ancestor', () => {
    expect(grow(stamped('a', 'a'), stamped('b', 'a'), stamped('c', 'b'), stamped('a', 'c'))).toEqual({
      b: 'a',
      c: 'b',
    })
  })
  it('takes a tree that has a circle', () => {
    const circle = { a: 'b', b: 'a' }
    expect(addToTaskTree(circle, stamped('c', 'a'))).toEqual({ ...circle, c: 'a' })
  })
  it('takes any id for what it is', () => {
    const tree = grow(created('a', '__proto__'), created('__proto__', 'b'))
    expect(Object.entries(tree)).toEqual([
      ['__proto__', 'a'],
      ['b', '__proto__'],
    ])
    expect(audienceOf({ ...thought(0), taskId: '__proto__' }, tree)).not.toContain('user')
    expect(audienceOf({ ...thought(0), taskId: 'constructor' }, tree)).toContain('user')
  })
})
