// audienceOf, respondersOf and the task tree.
import { audienceOf, respondersOf } from 'agentwire/streams'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  addToTaskTree,
  audiences,
  emptyTaskTree,
  type RoutedEvent,
} from '../../../src/streams/access/audience.ts'
import rules from '../../fixtures/streams/route/rules.json' with { type: 'json' }
import { delta, thought } from '../log/support.ts'

describe('audienceOf and respondersOf', () => {
  test.each(rules.cases)('$why', ({ event, for: audience, answer = [], forwardNothing }) => {
    const full = { contextId: 'ctx-1', ...event } as RoutedEvent
    const options = forwardNothing === true ? { forward: () => false } : {}
    expect(audienceOf(full, rules.tree, options)).toEqual(audience === 'everyone' ? audiences : audience)
    expect(respondersOf(full)).toEqual(answer)
  })

  it('include the user for events only the user can answer, whatever the tree', () => {
    const tree = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('a', 'b', 'c', 'd'))
    const ask = fc.constantFrom({ kind: 'auth-required' }, { kind: 'input-required', requireUser: true })
    fc.assert(
      fc.property(tree, ask, fc.constantFrom('a', 'b', 'd'), (tree, event, taskId) => {
        expect(audienceOf({ contextId: 'ctx-1', taskId, ...event }, tree)).toContain('user')
      }),
    )
  })
})

describe('addToTaskTree', () => {
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
  const treeOf = (...events: RoutedEvent[]) => events.reduce(addToTaskTree, emptyTaskTree)

  it('adds links from parent and child events, and keeps the first parent', () => {
    expect(treeOf(created('a', 'b'), stamped('c', 'b'), stamped('b', 'x'))).toEqual({ b: 'a', c: 'b' })
  })
  it('adds both links of a subtask that spawns another', () => {
    expect(treeOf({ ...created('b', 'c'), parentTaskId: 'a' } as RoutedEvent)).toEqual({ b: 'a', c: 'b' })
    expect(treeOf({ ...created('b', 'a'), parentTaskId: 'a' } as RoutedEvent)).toEqual({ b: 'a' })
  })
  it('returns the same tree if there is nothing to add', () => {
    const tree = treeOf(created('a', 'b'))
    expect(addToTaskTree(tree, stamped('b', 'a'))).toBe(tree)
    expect(addToTaskTree(tree, delta(0))).toBe(tree)
    expect(addToTaskTree(tree, { ...created('a', 'b'), subtaskId: 7 } as RoutedEvent)).toBe(tree)
  })
  it('never makes a task its own ancestor', () => {
    expect(treeOf(stamped('a', 'a'), stamped('b', 'a'), stamped('c', 'b'), stamped('a', 'c'))).toEqual({
      b: 'a',
      c: 'b',
    })
  })
  it('terminates for a tree with a cycle', () => {
    const cycle = { a: 'b', b: 'a' }
    expect(addToTaskTree(cycle, stamped('c', 'a'))).toEqual({ ...cycle, c: 'a' })
  })
  it('supports ids that are names of object properties', () => {
    const tree = treeOf(created('a', '__proto__'), created('__proto__', 'b'))
    expect(Object.entries(tree)).toEqual([
      ['__proto__', 'a'],
      ['b', '__proto__'],
    ])
    expect(audienceOf({ ...thought(0), taskId: '__proto__' }, tree)).not.toContain('user')
    expect(audienceOf({ ...thought(0), taskId: 'constructor' }, tree)).toContain('user')
  })
})
