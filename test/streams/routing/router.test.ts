// Patterns, the pattern trie and the router.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import {
  createRouter,
  escapePatternSegment,
  type Pattern,
  parsePattern,
  type Viewer,
} from 'turnstream/streams'
import { describe, expect, it, test } from 'vitest'
import { createPatternTrie } from '../../../src/streams/routing/pattern-trie.ts'
import type { DeliveryFailure } from '../../../src/streams/routing/router.ts'
import { casesOf } from '../../support/conformance.ts'
import { matchesPattern } from '../../support/matches-pattern.ts'
import { runs } from '../../support/runs.ts'
import { text } from '../../support/zod-arbitrary.ts'
import { delta, thought, timestamp } from '../log/support.ts'

type PatternInput = { readonly pattern: string; readonly topics: readonly (readonly string[])[] }
const patternCases = casesOf<PatternInput, { valid: boolean; matches?: readonly boolean[] }>('pattern')
const valid = patternCases.filter(({ expected }) => expected.valid)
const malformed = patternCases.filter(({ expected }) => !expected.valid).map(({ input }) => input.pattern)

describe('parsePattern', () => {
  test.each(valid)('$name', ({ input: { pattern, topics }, expected: { matches = [] } }) => {
    const parsed = patternOf(pattern)
    for (const [i, topic] of topics.entries()) {
      expect([topic, matchesPattern(parsed, topic)]).toEqual([topic, matches[i]])
      expect([topic, found(parsed, topic)]).toEqual([topic, matches[i]])
    }
  })
  test.each(malformed)('rejects %j', (pattern) => {
    expect(parsePattern(pattern)).toBeUndefined()
    expect(() => createRouter().subscribe(pattern, {}, () => {})).toThrow(TypeError)
  })
  test.each([[undefined], [null], [7], [['a']]])('rejects %j', (pattern) => {
    expect(parsePattern(pattern as never)).toBeUndefined()
  })
  it.each([[''], [7], [undefined]])('cannot be made of the id %j', (id) => {
    const message = `"id" must be a non-empty string, got ${JSON.stringify(id)}.`
    expect(() => escapePatternSegment(id as string)).toThrow(new TypeError(message))
  })
  it('never throws, and returns escaped ids unchanged', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 16 }), (ids) => {
        expect(() => parsePattern(ids.join('/'))).not.toThrow()
        const named = ids.map((id) => (id === '' ? '-' : id))
        const pattern = patternOf(named.map(escapePatternSegment).join('/'))
        expect(pattern).toEqual({ anywhere: false, segments: named, rest: false })
      }),
      { numRuns: runs(500) },
    )
  })
})

function patternOf(text: string): Pattern {
  const pattern = parsePattern(text)
  if (pattern === undefined) throw new Error(`Not a pattern: ${text}`)
  return pattern
}

/** Whether a trie with one pattern finds a topic. */
function found(pattern: Pattern, topic: readonly string[]): boolean {
  const trie = createPatternTrie<number>()
  trie.add(pattern, 1)
  return trie.find(topic).length > 0
}

const segment = fc.constantFrom('a', 'b', 'c', '*')
const pattern: fc.Arbitrary<Pattern> = fc
  .tuple(fc.boolean(), fc.array(segment, { maxLength: 5 }), fc.boolean())
  .map(([anywhere, segments, rest]) => ({
    anywhere,
    segments: segments.map((one) => (one === '*' ? null : one)),
    rest,
  }))
const topic = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 })

describe('the pattern trie', () => {
  it('keeps what shares a node with a removed pattern', () => {
    for (const [removed, kept] of [
      ['a/b', 'a/c'],
      ['a/b', 'a'],
      ['a/b/**', 'a/b'],
      ['*/b', '*/c'],
      ['a/*', 'a/b'],
      ['**/a/b', '**/a/c'],
    ] as const) {
      const trie = createPatternTrie<string>()
      for (const name of [removed, kept]) trie.add(patternOf(name), name)
      trie.remove(patternOf(removed), removed)
      const path = kept.startsWith('**/') ? ['x', ...kept.split('/').slice(1)] : kept.split('/')
      expect(trie.find(path)).toEqual([kept])
      expect(trie.isEmpty()).toBe(false)
    }
  })

  it('finds exactly the matching patterns as they are added and removed, and is empty at the end', () => {
    const action = fc.oneof(
      fc.record({ add: pattern }),
      fc.record({ remove: fc.nat() }),
      fc.record({ find: topic }),
    )
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const trie = createPatternTrie<number>()
        const model = new Map<number, Pattern>()
        let next = 0
        const remove = (id: number | undefined): void => {
          const pattern = id === undefined ? undefined : model.get(id)
          if (id === undefined || pattern === undefined) return
          trie.remove(pattern, id)
          trie.remove(pattern, id)
          model.delete(id)
        }
        for (const action of actions) {
          if ('add' in action) {
            model.set(next, action.add)
            trie.add(action.add, next++)
          } else if ('remove' in action) remove([...model.keys()][action.remove % (model.size + 1)])
          else {
            const expected = [...model]
              .filter(([, one]) => matchesPattern(one, action.find))
              .map(([id]) => id)
            expect([...new Set(trie.find(action.find))].sort((a, b) => a - b)).toEqual(expected)
          }
        }
        for (const id of [...model.keys()]) remove(id)
        expect(trie.isEmpty()).toBe(true)
      }),
      { numRuns: runs(500) },
    )
  })
})

/** A router, and the events each of its subscribers got. */
function routerWith(
  ...subscriptions: readonly [string, Parameters<ReturnType<typeof createRouter>['subscribe']>[1]?][]
) {
  const router = createRouter()
  const got: ContextAnyEvent[][] = []
  const stops = subscriptions.map(([pattern, filter], i) => {
    got.push([])
    return router.subscribe(pattern, { viewer: 'all', ...filter }, (event) => got[i]?.push(event))
  })
  return { router, got, stops }
}

const spawned = (taskId: string, subtaskId: string): ContextAnyEvent => {
  return { kind: 'subtask-created', contextId: 'ctx-1', taskId, subtaskId, prompt: 'Go.', timestamp }
}

describe('createRouter', () => {
  it('learns the task hierarchy from events', () => {
    const { router, got } = routerWith(['ctx-1/root/**'], ['ctx-1/*'], ['**/sub/**'], ['ctx-1/root/sub/deep'])
    router.route(delta(0, 'deep'))
    router.route(spawned('root', 'sub'))
    router.route(spawned('sub', 'deep'))
    router.route(delta(1, 'deep'))
    router.route({ ...delta(2, 'other'), parentTaskId: 'sub' })
    expect(got.map((events) => events.map((event) => ('index' in event ? event.index : event.kind)))).toEqual(
      [['subtask-created', 'subtask-created', 1, 2], [0, 'subtask-created'], ['subtask-created', 1, 2], [1]],
    )
  })

  it('learns both links of a subtask that spawns another', () => {
    const { router, got } = routerWith(['ctx-1/root/**'])
    const both = { ...spawned('sub', 'deep'), parentTaskId: 'root' }
    for (const event of [both, delta(0, 'deep'), delta(1, 'sub')]) router.route(event)
    expect(got).toEqual([
      [both, { ...delta(0, 'deep'), parentTaskId: 'sub' }, { ...delta(1, 'sub'), parentTaskId: 'root' }],
    ])
  })

  it('separates contexts', () => {
    const { router, got } = routerWith(['ctx-1/root/**'])
    router.route({ ...spawned('root', 'sub'), contextId: 'ctx-2' })
    router.route(delta(0, 'sub'))
    expect(got).toEqual([[]])
  })

  it('ignores links that form a cycle', () => {
    const { router, got } = routerWith(
      ['**'],
      ['ctx-1/c'],
      ['ctx-1/c/b/a'],
      ['**', { viewer: { audience: 'user' } }],
    )
    for (const [child, parent] of [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['d', 'd'],
    ] as const) {
      router.route({ ...delta(0, child), parentTaskId: parent })
    }
    router.route(delta(1, 'a'))
    router.route({ ...thought(0), taskId: 'd', parentTaskId: 'd' })
    expect(got.map((events) => events.length)).toEqual([6, 1, 1, 6])
  })

  it('keeps the most recently used half of maxSubtasks, and at most maxSubtasks', () => {
    const router = createRouter({ maxSubtasks: 4 })
    const got: unknown[] = []
    router.subscribe('ctx-1/root/**', {}, (event) => got.push(event.taskId))
    for (const sub of ['s1', 's2', 's3']) router.route(spawned('root', sub))
    router.route(delta(0, 's1'))
    for (const sub of ['s4', 's5']) router.route(spawned('root', sub))
    got.length = 0
    for (const sub of ['s1', 's2', 's3', 's4', 's5']) router.route(delta(0, sub))
    expect(got).toEqual(['s1', 's4', 's5'])
    router.route({ ...delta(0, 's2'), parentTaskId: 'root' })
    expect(got).toEqual(['s1', 's4', 's5', 's2'])
  })

  it('limits the depth of topics', () => {
    const { router, got } = routerWith(['**'])
    for (let i = 1; i < 200; i++) router.route(spawned(`t${i - 1}`, `t${i}`))
    expect(router.route(delta(0, 't199'))).toEqual({ delivered: 1, failed: [] })
    expect(got[0]).toHaveLength(200)
    const deep = routerWith(['**/t135/**'], ['**/t136/**'], ['ctx-1/t136/**'])
    for (let i = 1; i < 200; i++) deep.router.route(spawned(`t${i - 1}`, `t${i}`))
    for (const events of deep.got) events.length = 0
    deep.router.route(delta(0, 't199'))
    expect(deep.got.map((events) => events.length)).toEqual([0, 1, 1])
  })

  it('keeps the first parent of a task', () => {
    const { router, got } = routerWith(['ctx-1/root/**'], ['ctx-1/other/**'])
    router.route(spawned('root', 'sub'))
    router.route(spawned('other', 'sub'))
    router.route({ ...delta(0, 'sub'), parentTaskId: 'other' })
    router.route(delta(1, 'sub'))
    expect(got.map((events) => events.length)).toEqual([3, 1])
  })

  it('hides thoughts of a subtask from the user even if the event has no parentTaskId', () => {
    const { router, got } = routerWith(['**', { viewer: { audience: 'user' } }])
    router.route(spawned('root', 'sub'))
    router.route({ ...thought(0), taskId: 'sub' })
    router.route({ ...thought(1), taskId: 'root' })
    expect(got[0]?.map((event) => event.taskId)).toEqual(['root', 'root'])
  })

  it('releases everything of an ended subscription', async () => {
    setFlagsFromString('--expose_gc')
    const collectGarbage: () => void = runInNewContext('gc')
    const router = createRouter()
    const subscribed = (): { ended: WeakRef<object>; stays: WeakRef<object> } => {
      const deliver = (): void => {}
      router.subscribe('ctx-1/*/**', {}, deliver)()
      const other = (): void => {}
      router.subscribe('ctx-1/*/**', {}, other)
      return { ended: new WeakRef(deliver), stays: new WeakRef(other) }
    }
    const { ended, stays } = subscribed()
    // The target of a new WeakRef stays alive until the end of the current job.
    await new Promise(setImmediate)
    collectGarbage()
    expect([ended.deref(), typeof stays.deref()]).toEqual([undefined, 'function'])
    expect(router.size).toBe(1)
  })

  it('releases the contexts of ended subscriptions', async () => {
    setFlagsFromString('--expose_gc')
    const collectGarbage: () => void = runInNewContext('gc')
    const router = createRouter()
    const heapAfter = async (count: number): Promise<number> => {
      for (let n = 0; n < count; n++) {
        const contextId = Buffer.alloc(2048, `${n} `).toString('latin1')
        router.subscribe('**', { contextId }, () => {})()
      }
      await new Promise(setImmediate)
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const before = await heapAfter(1000)
    // 40 MB of ids.
    expect(await heapAfter(20_000)).toBeLessThan(before + 10_000_000)
  })

  it('delivers once to each subscriber, in the order of subscription', () => {
    const order: string[] = []
    const router = createRouter()
    const names = ['**', 'ctx-1/*', '**/a/**', 'ctx-1/a', '**/*/**', '*/a/**']
    for (const name of names) router.subscribe(name, {}, () => order.push(name))
    router.route({ ...delta(0, 'b'), parentTaskId: 'a' })
    expect(order).toEqual(['**', '**/a/**', '**/*/**', '*/a/**'])
  })

  const viewer: Viewer = { audience: 'user' }
  const checkpoint: ContextAnyEvent = { ...delta(0), kind: 'internal:checkpoint', iteration: 1 }
  const unknown = { ...delta(0), kind: 'content-spark' } as unknown as ContextAnyEvent
  const secret = { ...thought(0), metadata: { alternatives: ['another'] } }
  const filtered: readonly [string, object, ContextAnyEvent, boolean][] = [
    ['no filter', {}, delta(0), true],
    ['a listed kind', { kinds: ['content-delta'] }, delta(0), true],
    ['another kind', { kinds: ['content-complete'] }, delta(0), false],
    ['a listed task', { tasks: ['task-1'] }, delta(0), true],
    ['another task', { tasks: ['task-2'] }, delta(0), false],
    ['an internal event', {}, checkpoint, true],
    ['an internal event with internal: false', { internal: false }, checkpoint, false],
    ['an internal event of a listed kind', { kinds: ['internal:checkpoint'] }, checkpoint, true],
    ['an internal event of another kind', { kinds: ['content-delta'] }, checkpoint, false],
    ['an internal event and a user', { viewer }, checkpoint, false],
    ['an internal event and an operator', { viewer: { audience: 'operator' } }, checkpoint, true],
    ['an unknown kind', {}, unknown, true],
    ['an unknown kind and a user', { viewer }, unknown, false],
    ['a listed thought type', { thoughts: { types: ['planning'] } }, thought(0), true],
    ['another thought type', { thoughts: { types: ['decision'] } }, thought(0), false],
    [
      'an event that is not a thought, with thought types',
      { thoughts: { types: ['decision'] } },
      delta(0),
      true,
    ],
    ['a thought up to maxVerbosity', { thoughts: { maxVerbosity: 'normal' } }, thought(0), true],
    ['a thought above maxVerbosity', { thoughts: { maxVerbosity: 'brief' } }, thought(0), false],
    ['a thought with maxVerbosity none', { thoughts: { maxVerbosity: 'none' } }, thought(0, 'brief'), false],
    [
      'a thought of a subtask and its parent',
      { viewer: { audience: 'parent' } },
      { ...thought(0), parentTaskId: 'p' },
      true,
    ],
    ['a thought of a subtask and a user', { viewer }, { ...thought(0), parentTaskId: 'p' }, false],
  ]
  test.each(filtered)('filters: %s', (_, filter, event, isDelivered) => {
    const { router, got } = routerWith(['**', filter])
    expect(router.route(event)).toEqual({ delivered: isDelivered ? 1 : 0, failed: [] })
    expect(got[0]).toEqual(isDelivered ? [event] : [])
  })

  it('projects events for viewers, by default a user, and delivers the event itself to the server', () => {
    const { router, got } = routerWith(['**', { viewer }], ['**', { viewer: 'all' }])
    const users: unknown[] = []
    router.subscribe('**', {}, (event) => users.push(event))
    router.route(secret)
    router.route(checkpoint)
    expect(got[0]).toEqual([{ ...secret, metadata: {} }])
    expect(users).toEqual(got[0])
    expect(got[1]).toEqual([secret, checkpoint])
    expect(got[1]?.[0]).toBe(secret)
    expect(secret.metadata).toEqual({ alternatives: ['another'] })
  })

  it('forwards the events of subtasks selected by forward', () => {
    const router = createRouter({ forward: (event) => event.kind === 'thought-stream' })
    const got: string[] = []
    router.subscribe('**', { viewer }, (event) => got.push(event.kind))
    router.route({ ...thought(0), parentTaskId: 'p' })
    router.route({ ...delta(0), parentTaskId: 'p' })
    router.route(delta(0, 'root'))
    expect(got).toEqual(['thought-stream', 'content-delta'])
  })

  it('treats a parentTaskId of null and settings of null as omitted', () => {
    const { router, got } = routerWith(
      ['**', { viewer }],
      ['**', JSON.parse('{"kinds":null,"tasks":null,"thoughts":null,"internal":null}')],
    )
    const rootThought = { ...thought(0), parentTaskId: null as never }
    for (const event of [rootThought, checkpoint]) router.route(event)
    expect(got).toEqual([[thought(0)], [rootThought, checkpoint]])
  })

  it('isolates other subscribers from a `forward` that throws', () => {
    const router = createRouter({
      forward: () => {
        throw new Error('forward')
      },
    })
    const got: unknown[] = []
    router.subscribe('**', { viewer }, () => got.push('never'))
    router.subscribe('**', { viewer: 'all' }, (event) => got.push(event.taskId))
    const result = router.route({ ...thought(0), parentTaskId: 'p' })
    expect(result).toMatchObject({ delivered: 1, failed: [{ error: { message: 'forward' } }] })
    expect(got).toEqual(['task-1'])
  })

  it('refuses a subscription without a valid filter and viewer, which would show everything', () => {
    const router = createRouter()
    for (const filter of [
      { viewer: undefined },
      { viewer: { audience: 'admin' } },
      { thoughts: { types: 7 } },
      { audience: 'user' },
    ])
      expect(() => router.subscribe('**', filter as never, () => {})).toThrow(TypeError)
    expect(router.size).toBe(0)
  })

  it.each([Number.NaN, -1, 0, 1, '3'])('throws a TypeError for maxSubtasks %j', (value) => {
    const maxSubtasks = value as number
    expect(() => createRouter({ maxSubtasks })).toThrow(TypeError)
    expect(() => createRouter({ maxSubtasks })).toThrow('"maxSubtasks" must be a number >= 2, got')
  })

  it('accepts a maxSubtasks of 2', () => {
    expect(createRouter({ maxSubtasks: 2 }).size).toBe(0)
  })

  it.each([null, 5])('throws a TypeError for the options %j', (options) => {
    expect(() => createRouter(options as never)).toThrow(`"options" must be an object, got ${options}.`)
  })

  it.each<[filter: unknown, message: string]>([
    [null, '"filter" must be an object, got null.'],
    [{ tasks: 7 }, '"filter.tasks" must be an array, got 7.'],
    [
      { viewer: undefined },
      '"filter.viewer" must be a viewer such as { audience: "user" }, or "all", got undefined.',
    ],
    [{ viewer: { audience: 'admin' } }, '"filter.viewer.audience" must be "user", '],
    [{ contextId: undefined }, '"filter.contextId" must be a non-empty string, got undefined.'],
  ])('throws a TypeError that names what is wrong with the filter %j', (filter, message) => {
    const subscribe = () => createRouter().subscribe('**', filter as never, () => {})
    expect(subscribe).toThrow(TypeError)
    expect(subscribe).toThrow(message)
  })

  it.each([
    null,
    7,
    {},
    { anywhere: 'no', segments: [], rest: true },
    { anywhere: false, segments: [], rest: 1 },
    { anywhere: false, segments: 'ctx-1', rest: true },
    { anywhere: false, segments: ['ctx-1', 7], rest: true },
    { anywhere: false, segments: [undefined], rest: true },
  ])('throws a TypeError for the parsed pattern %j', (pattern) => {
    const subscribe = () => createRouter().subscribe(pattern as never, {}, () => {})
    expect(subscribe).toThrow(TypeError)
    expect(subscribe).toThrow('"pattern" must be a valid pattern such as "ctx-1/**", got ')
  })

  it.each([[undefined], [null], [0], ['then'], [{}], [() => {}]])(
    'counts a delivery that returns %j as successful',
    (returned) => {
      const router = createRouter()
      router.subscribe('**', {}, () => returned as never)
      expect(router.route(delta(0))).toEqual({ delivered: 1, failed: [] })
    },
  )

  it.each(['forward', 'onLateFailure'])('throws a TypeError for %s that is no function', (name) => {
    const message = `"${name}" must be a function, got 5.`
    expect(() => createRouter({ [name]: 5 } as never)).toThrow(new TypeError(message))
  })

  it.each([undefined, null, 'deliver'])('throws a TypeError for the function %j', (deliver) => {
    const subscribe = () => createRouter().subscribe('**', {}, deliver as never)
    expect(subscribe).toThrow('"deliver" must be a function')
  })

  it('reports failures in the order of the deliveries', () => {
    const router = createRouter()
    const fail = (): never => {
      throw new Error('closed')
    }
    for (const pattern of ['ctx-1/*', '**']) router.subscribe(pattern, {}, fail)
    expect(router.route(delta(0)).failed.map(({ pattern }) => pattern)).toEqual([
      patternOf('ctx-1/*'),
      patternOf('**'),
    ])
  })

  it('delivers malformed events without throwing', () => {
    const { router, got } = routerWith(['**'], ['ctx-1/**'], ['__proto__/**'])
    const strange = [
      { kind: 'x' },
      { kind: '__proto__', taskId: '__proto__', contextId: '__proto__' },
      { kind: 'subtask-created', subtaskId: 'a' },
      { kind: 'subtask-created', contextId: '__proto__', taskId: '__proto__', subtaskId: '__proto__' },
    ]
    for (const event of strange) router.route(event as unknown as ContextAnyEvent)
    expect(got).toEqual([strange, [], [strange[1], strange[3]]])
  })

  it('isolates other subscribers from one that throws', () => {
    const router = createRouter()
    const got: unknown[] = []
    const error = new Error('broken')
    router.subscribe('**', {}, () => got.push(1))
    router.subscribe('**/task-1', {}, () => {
      throw error
    })
    router.subscribe('**', {}, () => got.push(3))
    expect(router.route(delta(0))).toEqual({
      delivered: 2,
      failed: [{ pattern: patternOf('**/task-1'), error }],
    })
    expect(got).toEqual([1, 3])
  })

  it('reports rejected deliveries to onLateFailure', async () => {
    const late: DeliveryFailure[] = []
    const router = createRouter({ onLateFailure: (failure) => late.push(failure) })
    const error = new Error('late')
    router.subscribe('**', {}, () => Promise.reject(error) as unknown as undefined)
    router.subscribe('**', {}, () => Promise.resolve() as unknown as undefined)
    expect(router.route(delta(0))).toEqual({ delivered: 2, failed: [] })
    const silent = createRouter()
    silent.subscribe('**', {}, () => Promise.reject(error) as unknown as undefined)
    silent.route(delta(0))
    await Promise.resolve()
    expect(late).toEqual([{ pattern: patternOf('**'), error }])
  })

  it('ignores what onLateFailure throws, now or later', async () => {
    const unhandled: unknown[] = []
    const listener = (error: unknown): void => void unhandled.push(error)
    process.on('unhandledRejection', listener)
    for (const onLateFailure of [
      () => {
        throw new Error('sync')
      },
      () => Promise.reject(new Error('async')) as unknown as undefined,
    ]) {
      const router = createRouter({ onLateFailure })
      router.subscribe('**', {}, () => Promise.reject(new Error('late')) as unknown as undefined)
      expect(router.route(delta(0))).toEqual({ delivered: 1, failed: [] })
    }
    // Unhandled rejections are reported after the microtasks of the current job.
    await new Promise(setImmediate)
    process.off('unhandledRejection', listener)
    expect(unhandled).toEqual([])
  })

  describe('an event that only the user can answer', () => {
    const auth: ContextAnyEvent = {
      kind: 'auth-required',
      contextId: 'ctx-1',
      taskId: 'sub',
      parentTaskId: 'root',
      authId: 'auth-1',
      provider: 'p',
      authType: 'oauth2',
      prompt: 'Sign in.',
      timestamp,
    } as unknown as ContextAnyEvent
    const question = { kind: 'input-required', inputId: 'i', inputType: 'confirmation', requireUser: true }
    const ask = { ...auth, ...question } as unknown as ContextAnyEvent
    const user: Viewer = { audience: 'user' }
    const fail = (): never => {
      throw new Error('closed')
    }
    const nothing = (): void => {}
    test.each<[string, string, object, () => void, boolean]>([
      ['a user', '**', { viewer: user }, nothing, true],
      ['a user of the root task', 'ctx-1/root/**', { viewer: user }, nothing, true],
      ['a user of another context', '**', { viewer: user, contextId: 'ctx-2' }, nothing, false],
      ['a user whose filter excludes it', '**', { viewer: user, kinds: ['content-delta'] }, nothing, false],
      ['a user whose delivery fails', '**', { viewer: user }, fail, false],
      ['a coordinator', '**', { viewer: { audience: 'coordinator' } }, nothing, false],
      ['somebody, by default a user', '**', {}, nothing, true],
      ['the server', '**', { viewer: 'all' }, nothing, false],
    ])('delivered to %s', (_, pattern, filter, deliver, isReached) => {
      for (const event of [auth, ask]) {
        const router = createRouter({ forward: () => false })
        router.subscribe(pattern, filter, deliver)
        expect(router.route(event).unreached).toEqual(isReached ? undefined : ['user'])
      }
    })

    it('labelled for others does not reach the user', () => {
      const { router } = routerWith(['**', { viewer: user }])
      const labelled = { ...auth, metadata: { audience: ['coordinator'] } } as unknown as ContextAnyEvent
      expect(router.route(labelled)).toEqual({ delivered: 0, failed: [], unreached: ['user'] })
    })

    it('is reported by the call that delivers it, and other events are not', () => {
      const router = createRouter()
      const optional = { ...ask, requireUser: false } as unknown as ContextAnyEvent
      for (const event of [delta(0), optional])
        expect(router.route(event)).toEqual({ delivered: 0, failed: [] })
      const results: unknown[] = []
      router.subscribe('**', { viewer: 'all' }, (event) => {
        if (event.taskId === 'first') results.push(router.route(auth), router.route(delta(1, 'second')))
      })
      expect(router.route(delta(0, 'first')).unreached).toEqual(['user'])
      const queued = { delivered: 0, failed: [], queued: true }
      expect(results).toEqual([queued, queued])
    })
  })

  describe('a subscription of one context', () => {
    it('gets what its pattern matches in that context, and nothing else', () => {
      const contexts = fc.constantFrom('a', 'b', 'c', '__proto__')
      const path = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 })
      fc.assert(
        fc.property(
          fc.array(pattern, { maxLength: 6 }),
          contexts,
          contexts,
          path,
          (patterns, own, at, tasks) => {
            const router = createRouter()
            const got: number[] = []
            const stops = patterns.map((one, i) =>
              router.subscribe(one, { contextId: own }, () => got.push(i)),
            )
            for (const [depth, taskId] of tasks.entries()) {
              got.length = 0
              const parent = depth > 0 && { parentTaskId: tasks[depth - 1] }
              router.route({ ...delta(0, taskId), contextId: at, ...parent } as ContextAnyEvent)
              const topic = [at, ...tasks.slice(0, depth + 1)]
              const isMatch = (i: number) => own === at && matchesPattern(patterns[i] as Pattern, topic)
              expect(got).toEqual([...patterns.keys()].filter(isMatch))
            }
            for (const stop of stops) stop()
            expect(router.size).toBe(0)
          },
        ),
        { numRuns: runs(300) },
      )
    })

    it('stays when another one of the context ends', () => {
      const router = createRouter()
      const got: unknown[] = []
      const stop = router.subscribe('**', { contextId: 'ctx-1' }, () => {})
      router.subscribe('**', { contextId: 'ctx-1' }, (event) => got.push(event))
      for (const end of [stop, stop]) end()
      expect(router.size).toBe(1)
      router.route(delta(0))
      expect(got).toHaveLength(1)
    })

    it('is delivered to in the order of all subscriptions', () => {
      const order: string[] = []
      const router = createRouter()
      for (const [name, filter] of [
        ['1', { contextId: 'ctx-1' }],
        ['2', {}],
        ['3', { contextId: 'ctx-1' }],
      ] as const)
        router.subscribe('**', filter, () => order.push(name))
      router.route(delta(0))
      expect(order).toEqual(['1', '2', '3'])
    })

    test.each([[undefined], [null], [''], [7], [['ctx-1']]])('refuses %j', (contextId) => {
      const subscribe = () => createRouter().subscribe('**', { contextId } as never, () => {})
      expect(subscribe).toThrow(TypeError)
      expect(subscribe).toThrow('"filter.contextId" must be a non-empty string')
    })
  })

  describe('a subscription with several patterns', () => {
    it('gets an event once if any of them matches', () => {
      fc.assert(
        fc.property(
          fc.array(pattern, { minLength: 1, maxLength: 5 }),
          topic,
          (patterns, [contextId = '', ...path]) => {
            const router = createRouter()
            const got: unknown[] = []
            const stop = router.subscribe(patterns, {}, (event) => got.push(event))
            const taskId = path.at(-1) ?? 'x'
            const event = { ...delta(0, taskId), contextId }
            router.route(event)
            const isMatch = patterns.some((one) => matchesPattern(one, [contextId, taskId]))
            expect(got).toEqual(isMatch ? [event] : [])
            stop()
            router.route(event)
            expect(got).toHaveLength(isMatch ? 1 : 0)
          },
        ),
        { numRuns: runs(300) },
      )
    })

    it('reports the pattern that matched with a failure', () => {
      const router = createRouter()
      router.subscribe(['ctx-2/**', 'ctx-1/*'], {}, () => {
        throw new Error('closed')
      })
      expect(router.route(delta(0)).failed).toMatchObject([{ pattern: patternOf('ctx-1/*') }])
    })

    test.each([[[]], [['**', '']], [[['**']]], [undefined]])('refuses %j', (patterns) => {
      const subscribe = () => createRouter().subscribe(patterns as never, {}, () => {})
      expect(subscribe).toThrow(TypeError)
      expect(subscribe).toThrow('"pattern" must be')
    })

    it('refuses no pattern at all', () => {
      const subscribe = () => createRouter().subscribe([], {}, () => {})
      expect(subscribe).toThrow('"pattern" must be at least one pattern, got ')
    })
  })

  it('delivers events in the same order to all subscribers when one routes another event', () => {
    const router = createRouter()
    const got: unknown[] = []
    const results: unknown[] = []
    router.subscribe('**', {}, (event) => {
      if (event.taskId !== 'first') return
      results.push(router.route(delta(1, 'second')), router.route(delta(2, 'third')))
    })
    router.subscribe('**', {}, (event) => got.push(event.taskId))
    expect(router.route(delta(0, 'first'))).toEqual({ delivered: 6, failed: [] })
    expect(got).toEqual(['first', 'second', 'third'])
    const queued = { delivered: 0, failed: [], queued: true }
    expect(results).toEqual([queued, queued])
  })

  it('supports subscribing and unsubscribing during a delivery', () => {
    const router = createRouter()
    const got: string[] = []
    let stopLast = (): void => {}
    const stopFirst = router.subscribe('**', {}, () => {
      got.push('first')
      stopFirst()
      stopLast()
      router.subscribe('**', {}, () => got.push('new'))
    })
    stopLast = router.subscribe('**', {}, () => got.push('last'))
    router.route(delta(0))
    expect(got).toEqual(['first'])
    router.route(delta(1))
    expect(got).toEqual(['first', 'new'])
  })

  it('delivers to exactly the matching patterns, and to none after unsubscribing', () => {
    const patterns = fc.array(pattern, { minLength: 1, maxLength: 12 })
    const path = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 2 })
    fc.assert(
      fc.property(patterns, path, (patterns, [contextId = '', ...tasks]) => {
        const router = createRouter()
        const got: number[] = []
        const stops = patterns.map((one, i) => router.subscribe(one, {}, () => got.push(i)))
        for (const [depth, task] of tasks.entries()) {
          const parentTaskId = tasks[depth - 1]
          got.length = 0
          router.route({ ...delta(0, task), contextId, ...(parentTaskId !== undefined && { parentTaskId }) })
          const topic = [contextId, ...tasks.slice(0, depth + 1)]
          expect(got).toEqual(
            [...patterns.keys()].filter((i) => matchesPattern(patterns[i] as Pattern, topic)),
          )
        }
        expect(router.size).toBe(patterns.length)
        for (const stop of [...stops, ...stops]) stop()
        expect(router.size).toBe(0)
        expect(router.route(delta(0))).toEqual({ delivered: 0, failed: [] })
      }),
      { numRuns: runs(500) },
    )
  })
})
