// The task tree: what it learns, what it stamps, what it forgets, and its stored state.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTaskTree, MAX_SUBTASKS, type TaskTree } from '../../../src/streams/access/task-tree.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'

interface Link {
  readonly child: string
  readonly parent: string
  readonly form: 'parent' | 'child'
  readonly contextId: string
}

/** The event that states a link: an event of the parent or of the child. */
function stating({ child, parent, form, contextId }: Link) {
  return form === 'parent'
    ? { kind: 'subtask-created', contextId, taskId: parent, subtaskId: child }
    : { kind: 'task-status', contextId, taskId: child, parentTaskId: parent }
}

const id = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor')
const link: fc.Arbitrary<Link> = fc.record({
  child: id,
  parent: id,
  form: fc.constantFrom('parent', 'child'),
  contextId: fc.constantFrom('c1', 'c2', '__proto__'),
})

const parentIn = (tree: TaskTree, contextId: string, taskId: string): unknown =>
  (tree.stamp({ kind: 'content-delta', contextId, taskId }) as { parentTaskId?: string }).parentTaskId

describe('createTaskTree', () => {
  it('keeps the first parent of each task of a context, and no link that would form a cycle', () => {
    fc.assert(
      fc.property(fc.array(link, { maxLength: 30 }), (links) => {
        const tree = createTaskTree()
        const model = new Map<string, string>()
        const ancestorsOf = (key: string): string[] => {
          const parent = model.get(key)
          return parent === undefined ? [key] : [key, ...ancestorsOf(parent)]
        }
        for (const one of links) {
          tree.stamp(stating(one))
          const [child, parent] = [`${one.contextId} ${one.child}`, `${one.contextId} ${one.parent}`]
          if (!model.has(child) && !ancestorsOf(parent).includes(child)) model.set(child, parent)
        }
        for (const { contextId, child } of links) {
          const key = `${contextId} ${child}`
          expect(parentIn(tree, contextId, child)).toBe(model.get(key)?.split(' ')[1])
          expect(tree.topicOf({ kind: 'x', contextId, taskId: child })).toEqual([
            contextId,
            ...ancestorsOf(key)
              .map((ancestor) => ancestor.split(' ')[1])
              .reverse(),
          ])
        }
      }),
      { numRuns: runs(500) },
    )
  })

  it('stamps only what lacks a parent, as a copy, and the first event of a subtask at once', () => {
    const tree = createTaskTree()
    const root = Object.freeze({ kind: 'content-delta', contextId: 'c', taskId: 'a' })
    const first = Object.freeze({ kind: 'task-created', contextId: 'c', taskId: 'b', parentTaskId: 'a' })
    const other = { ...first, parentTaskId: 'x' }
    const bare = Object.freeze({ kind: 'task-status', contextId: 'c', taskId: 'b' })
    expect([root, first, other].map((event) => tree.stamp(event) === event)).toEqual([true, true, true])
    expect(tree.stamp(bare)).toEqual({ ...bare, parentTaskId: 'a' })
    for (const parentTaskId of [null, 7, bare.taskId])
      expect(tree.stamp({ ...bare, parentTaskId })).toEqual({ ...bare, parentTaskId: 'a' })
    const spawning = { kind: 'subtask-created', contextId: 'c', taskId: 'b', subtaskId: 'd' }
    expect(tree.stamp(spawning)).toEqual({ ...spawning, parentTaskId: 'a' })
    expect(tree.stamp({ ...bare, taskId: 'd' })).toEqual({ ...bare, taskId: 'd', parentTaskId: 'b' })
  })

  it('adds both links of a subtask that spawns another', () => {
    const tree = createTaskTree()
    tree.stamp({ kind: 'subtask-created', contextId: 'c', taskId: 'b', parentTaskId: 'a', subtaskId: 'd' })
    expect(tree.topicOf({ kind: 'x', contextId: 'c', taskId: 'd' })).toEqual(['c', 'a', 'b', 'd'])
  })

  it('returns events without ids, or with ids of a wrong type, as they are', () => {
    const tree = createTaskTree()
    const created = { kind: 'subtask-created', contextId: 'c', taskId: 'a', subtaskId: 'b' }
    tree.stamp(created)
    const ids = fc.constantFrom(undefined, null, 7, 'b', 'c', {})
    const event = fc.record({
      kind: fc.constantFrom('subtask-created', 'task-status'),
      contextId: ids,
      taskId: ids,
      parentTaskId: ids,
      subtaskId: ids,
    })
    fc.assert(
      fc.property(event, (one) => {
        const isComplete = typeof one.contextId === 'string' && typeof one.taskId === 'string'
        const stamped = tree.stamp(one)
        const isStated = typeof one.parentTaskId === 'string' && one.parentTaskId !== one.taskId
        if (!isComplete || isStated) expect(stamped).toBe(one)
        else expect({ ...stamped, parentTaskId: one.parentTaskId }).toEqual(one)
      }),
    )
  })

  it('stamps with the parents of both of its generations, and with those of no other context', () => {
    const tree = createTaskTree(4)
    for (const child of ['a', 'b', 'c']) {
      tree.stamp(stating({ child, parent: `${child}-parent`, form: 'parent', contextId: 'c1' }))
    }
    expect([tree.state.newer.length, tree.state.older.length]).toEqual([1, 2])
    expect(['c', 'a', 'b'].map((taskId) => parentIn(tree, 'c1', taskId))).toEqual([
      'c-parent',
      'a-parent',
      'b-parent',
    ])
    expect(['a', 'b', 'c'].map((taskId) => parentIn(tree, 'c2', taskId))).toEqual(Array(3).fill(undefined))
  })

  it('learns subtasks from no other kind that has a subtaskId', () => {
    const tree = createTaskTree()
    tree.stamp({ kind: 'later-kind', contextId: 'c', taskId: 'a', subtaskId: 'b' } as { kind: string })
    expect(parentIn(tree, 'c', 'b')).toBeUndefined()
  })

  it('keeps the most recently used half of the limit, and at most the limit', () => {
    const steps = fc.array(fc.nat(12), { maxLength: 40 })
    fc.assert(
      fc.property(steps, fc.integer({ min: 2, max: 9 }), (steps, limit) => {
        const tree = createTaskTree(limit)
        const used: string[] = []
        for (const step of steps) {
          const child = `s${step}`
          tree.stamp(stating({ child, parent: 'root', form: 'parent', contextId: 'c' }))
          const at = used.indexOf(child)
          if (at !== -1) used.splice(at, 1)
          used.push(child)
          const { newer, older } = tree.state
          expect(newer.length + older.length).toBeLessThanOrEqual(limit)
          const kept = new Set([...newer, ...older].map(([, taskId]) => taskId))
          for (const recent of used.slice(-Math.floor(limit / 2))) expect(kept).toContain(recent)
        }
      }),
      { numRuns: runs(300) },
    )
  })

  it('names the nearest 63 ancestors in topics', () => {
    const tree = createTaskTree()
    const tasks = Array.from({ length: 80 }, (_, n) => `t${n}`)
    for (const [n, child] of tasks.entries()) {
      if (n > 0)
        tree.stamp({ kind: 'task-created', contextId: 'c', taskId: child, parentTaskId: `t${n - 1}` })
      const topic = tree.topicOf({ kind: 'x', contextId: 'c', taskId: child })
      expect(topic).toEqual(['c', ...tasks.slice(Math.max(0, n - 63), n + 1)])
    }
  })

  it('keeps as many subtasks by default as documented', () => {
    expect(MAX_SUBTASKS).toBe(100_000)
    const tree = createTaskTree()
    for (let n = 0; n <= MAX_SUBTASKS; n++) {
      tree.stamp({ kind: 'subtask-created', contextId: 'c', taskId: 'root', subtaskId: `s${n}` })
    }
    expect([tree.state.newer.length, tree.state.older.length]).toEqual([1, 50_000])
  })

  it('continues from its state, which is JSON and never changed in place', () => {
    const cut = fc.tuple(fc.array(link, { maxLength: 20 }), fc.array(link, { maxLength: 20 }))
    fc.assert(
      fc.property(cut, fc.integer({ min: 2, max: 6 }), ([before, after], limit) => {
        const tree = createTaskTree(limit)
        for (const one of before) tree.stamp(stating(one))
        const { state } = tree
        const stored = JSON.stringify(state)
        const restored = createTaskTree(limit, JSON.parse(stored))
        for (const one of after) expect(restored.stamp(stating(one))).toEqual(tree.stamp(stating(one)))
        expect(restored.state).toEqual(tree.state)
        expect(JSON.stringify(state)).toBe(stored)
        expect(tree.state).toBe(tree.state)
      }),
      { numRuns: runs(300) },
    )
  })

  it('stamps what a legal stream lost after its task-created', () => {
    fc.assert(
      fc.property(legalStreams(), (events) => {
        const tree = createTaskTree()
        const stripped = events.map(({ parentTaskId, ...event }) =>
          event.kind === 'task-created' && parentTaskId !== undefined ? { ...event, parentTaskId } : event,
        )
        expect(stripped.map((event) => tree.stamp(event))).toEqual(events)
      }),
      { numRuns: runs(200) },
    )
  })
})
