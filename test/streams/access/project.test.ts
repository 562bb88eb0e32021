// project: no bytes a viewer gets contain what is hidden from it, and all events it gets are valid.

import fc from 'fast-check'
import {
  type ContextAnyEvent,
  createEmitter,
  decodeEvent,
  eventKinds,
  run,
  type ThoughtType,
} from 'turnstream'
import {
  type Audience,
  applyBackpressure,
  audienceOf,
  compact,
  createRouter,
  decideBackpressure,
  encodeBatch,
  project,
  readFilter,
  redactions,
  type Viewer,
} from 'turnstream/streams'
import { thoughtEvents } from 'turnstream/thoughts'
import { describe, expect, it, test } from 'vitest'
import { decodeAnyEvent } from '../../../src/events/decode.ts'
import { contextEventSchemas } from '../../../src/events/records/schemas.ts'
import { audiences } from '../../../src/streams/access/audience.ts'
import type { ThoughtPolicy } from '../../../src/streams/access/filter.ts'
import { casesOf } from '../../support/conformance.ts'
import { mutantsOf } from '../../support/mutants.ts'
import { runs } from '../../support/runs.ts'
import { accepted } from '../../support/zod-arbitrary.ts'
import { delta, openLog, thought, timestamp } from '../log/support.ts'

const MARKER = 'canary-7f3a'

interface ProjectInput {
  readonly event: ContextAnyEvent
  readonly viewers: readonly Viewer[]
}

/** An event with the marker in a field that is hidden from these audiences. */
interface Hidden {
  readonly name: string
  readonly event: ContextAnyEvent
  readonly from: readonly Audience[]
}

const hidden = casesOf<ProjectInput, readonly object[]>('project')
  .filter(({ input }) => JSON.stringify(input.event).includes(MARKER))
  .map(({ name, input: { event, viewers }, expected }): Hidden => {
    const isHidden = (_: Viewer, i: number): boolean => !JSON.stringify(expected[i]).includes(MARKER)
    return { name, event, from: viewers.filter(isHidden).map(({ audience }) => audience) }
  })

/** All bytes that reach a viewer of a stream: batches, encoded batches, snapshots, deliveries. */
function bytesFor(viewer: Viewer, events: readonly ContextAnyEvent[]): string {
  const filter = readFilter(viewer)
  const log = openLog()
  const router = createRouter()
  const delivered: unknown[] = []
  router.subscribe('**', { viewer }, (event) => delivered.push(event))
  for (const event of events) {
    log.append(event, 0)
    router.route(event)
  }
  const live = log.read(undefined, filter)
  const reduced = applyBackpressure(live, decideBackpressure(1e6), (events) => events.slice(-1))
  const resumed = log.read({ stream: 's', epoch: 'e', seq: events.length >> 1, filter: filter.id }, filter)
  const visible = live.type === 'batch' ? live.events : []
  const reset = { ...log.read('nonsense', filter), events: visible }
  const parts = [live, reduced, resumed, reset]
  return (
    JSON.stringify([parts, delivered]) + parts.map((part) => encodeBatch(part, { viewer: 'all' })).join('')
  )
}

const viewers = audiences.map((audience): Viewer => ({ audience }))

describe('a marker in a hidden field', () => {
  const isVisible = (audience: Audience, one: Hidden): boolean => !one.from.includes(audience)

  test.each(hidden)('$name is hidden from $from', (one) => {
    const { event } = one
    for (const viewer of viewers) {
      expect([viewer.audience, bytesFor(viewer, [event]).includes(MARKER)]).toEqual([
        viewer.audience,
        isVisible(viewer.audience, one),
      ])
    }
  })

  it('does not reach the viewer in any stream', () => {
    const anyEvent = fc.constantFrom(...eventKinds).chain((kind) => accepted(contextEventSchemas[kind]))
    const secret = fc.constantFrom(...hidden)
    const stream = fc.array(fc.oneof(anyEvent, secret), { maxLength: 12 })
    fc.assert(
      fc.property(stream, fc.constantFrom(...viewers), (parts, viewer) => {
        const events = parts.flatMap((part) => {
          const one = part as Hidden
          if (!('from' in one)) return [part as ContextAnyEvent]
          return isVisible(viewer.audience, one) ? [] : [one.event]
        })
        expect(bytesFor(viewer, events)).not.toContain(MARKER)
      }),
      { numRuns: runs(300) },
    )
  })

  it('is tested for every kind with a redaction', () => {
    const kinds = new Set<string>(hidden.map(({ event }) => event.kind))
    for (const kind of Object.keys(redactions)) expect(kinds).toContain(kind)
  })
})

describe('project', () => {
  const event = fc
    .constantFrom(...eventKinds)
    .chain((kind) => accepted(contextEventSchemas[kind])) as fc.Arbitrary<ContextAnyEvent>
  const label = fc.option(fc.subarray([...audiences]), { nil: undefined })
  const labelled = fc.tuple(event, label).map(([one, audience]) => {
    return audience === undefined ? one : ({ ...one, metadata: { audience } } as unknown as ContextAnyEvent)
  })
  const pointer = event.chain((one) => fc.constantFrom(...pointersIn(one), '', '/kind', '/none/such'))
  const viewer: fc.Arbitrary<Viewer> = fc
    .tuple(fc.constantFrom(...audiences), fc.array(pointer, { maxLength: 4 }))
    .map(([audience, pointers]) => ({
      audience,
      ...(pointers.length > 0 && { removed: Object.fromEntries(eventKinds.map((kind) => [kind, pointers])) }),
    }))

  it('returns a valid event or undefined, is idempotent, never mutates, and hides nothing from operators', () => {
    fc.assert(
      fc.property(labelled, viewer, (event, viewer) => {
        const before = JSON.stringify(event)
        const visible = project(deepFreeze(event), viewer)
        expect(JSON.stringify(event)).toBe(before)
        expect(project(event, { audience: 'operator' })).toBe(event)
        if (visible === undefined) return
        expect(project(visible, viewer)).toEqual(visible)
        expect(visible.kind).toBe(event.kind)
        if (decodeEvent(event).status === 'known')
          expect(decodeEvent(visible)).toMatchObject({ status: 'known' })
      }),
      { numRuns: runs(2000) },
    )
  })

  it('shows no audience an event that is not valid, and operators all others, without nulls that count as absent', () => {
    const mutants = event
      .chain((one) => mutantsOf(one))
      .map((mutant) => ({ ...delta(0), ...(mutant as object), contextId: 'c', taskId: 't' }))
    fc.assert(
      fc.property(mutants, viewer, (mutant, viewer) => {
        fc.pre(typeof mutant.kind === 'string')
        const decoded = decodeEvent(mutant)
        const known = decoded.status === 'invalid' ? undefined : decoded.event
        const shown = project(mutant, { audience: 'operator' })
        expect(shown && withoutEmpty(shown)).toEqual(known && withoutEmpty(known))
        const visible = project(mutant, viewer)
        if (visible === undefined) return
        const again = decodeEvent(visible)
        expect(again.status).not.toBe('invalid')
        expect('event' in again && again.event).toBe(visible)
      }),
      { numRuns: runs(2000) },
    )
  })

  it('removes a field if the event is valid without it, else empties it if the event is valid then, else hides it', () => {
    const pairs = event.chain((one) => fc.tuple(fc.constant(one), fc.constantFrom(...pointersIn(one))))
    fc.assert(
      fc.property(pairs, ([event, pointer]) => {
        fc.pre(decodeAnyEvent(event).status === 'known')
        const viewer: Viewer = { audience: 'operator', removed: { [event.kind]: [pointer] } }
        const attempts = [() => undefined, emptied].map((replacement) =>
          replaced(event, pointer, replacement),
        )
        const isEnvelope = /^(\/(kind|contextId|taskId|timestamp)(\/.*)?)?$/.test(pointer)
        const valid = attempts.find((attempt) => decodeAnyEvent(attempt).status === 'known')
        const visible = isEnvelope ? undefined : (valid as object | undefined)
        const shown = project(event, viewer)
        expect(shown && withoutEmpty(shown)).toEqual(visible && withoutEmpty(visible))
      }),
      { numRuns: runs(2000) },
    )
  })

  it.each<[metadata: object, left?: object]>([
    [{ own: 1 }],
    [{ reason: null }],
    [{ own: 1, reason: null }],
    [{ own: 1, reason: 'a' }, { reason: 'a' }],
    [{}, {}],
  ])('shows no metadata of which nothing is left: %j', (metadata, left) => {
    const event = { kind: 'task-status', status: 'working', contextId: 'c', taskId: 't', timestamp }
    const seen = project(fromJson<ContextAnyEvent>({ ...event, metadata }), { audience: 'user' })
    expect(seen).toEqual(left === undefined ? event : { ...event, metadata: left })
  })

  it('removes the fields the viewer lists', () => {
    const secret = { ...thought(0), metadata: { groupId: MARKER, confidence: 0.5 }, 'a/b~c': MARKER }
    const viewer = (...pointers: string[]): Viewer => ({
      audience: 'operator',
      removed: { 'thought-stream': pointers },
    })
    expect(project(secret, viewer('/metadata/groupId', '/a~1b~0c'))).toEqual({
      ...thought(0),
      metadata: { confidence: 0.5 },
    })
    expect(project(secret, viewer('/content', '/none'))).toEqual({ ...secret, content: '' })
    const hiding = ['', '/kind', '/contextId', '/taskId', '/timestamp', '/thoughtType', '/index']
    for (const pointer of hiding)
      expect([pointer, project(secret, viewer(pointer))]).toEqual([pointer, undefined])
    for (const nothing of ['/none', '/metadata/none', '/content/none', '/toString', '/metadata/toString']) {
      expect(project(secret, viewer(nothing))).toBe(secret)
    }
    const unaffected = delta(0)
    expect(project(unaffected, viewer('/delta'))).toBe(unaffected)
    const viewerOfJson = fromJson<Viewer>({ audience: 'operator', removed: null })
    expect(project(delta(0), viewerOfJson)).toEqual(delta(0))
  })

  const call = { contextId: 'c', taskId: 't', toolCallId: 'x', toolName: 'y', timestamp } as const
  const noted = { metadata: { own: MARKER, other: [1] } } as unknown as { metadata: object }
  const started = { ...call, kind: 'tool-start', arguments: {}, ...noted } as ContextAnyEvent
  const completed = { ...call, kind: 'tool-complete', success: true, result: 1, ...noted } as ContextAnyEvent
  const thinking = { ...thought(0), kind: 'thought-delta', delta: 'a', content: 'unknown here' }
  const rewritten = { contextId: 'c', taskId: 't', kind: 'content-replace', content: 'a', timestamp }
  const bareTaskEnd = { contextId: 'c', taskId: 't', kind: 'task-complete', timestamp }
  const ended = { ...bareTaskEnd, content: 'a' }
  const { metadata: _, ...bareStart } = started as typeof started & { metadata: object }
  const { metadata: __, ...bareEnd } = completed as typeof completed & { metadata: object }
  it.each<[kind: string, pointer: string, event: object, visible: object | undefined]>([
    ['tool-complete', '/metadata', started, bareStart],
    ['tool-start', '/metadata', completed, bareEnd],
    ['tool-complete', '/metadata/own', started, { ...started, metadata: { other: [1] } }],
    ['tool-start', '/metadata/other/0', completed, { ...completed, metadata: { own: MARKER } }],
    ['tool-complete', '/result', started, started],
    ['tool-start', '/arguments', completed, completed],
    ['tool-complete', '/metadata2', started, started],
    ['tool-complete', '/success', started, bareStart],
    ['tool-complete', '/taskId', started, bareStart],
    ['tool-complete', '', started, bareStart],
    ['thought-stream', '/content', thinking, { ...thinking, delta: '' }],
    ['thought-stream', '/metadata', thinking, thinking],
    ['thought-stream', '/thoughtType', thinking, { ...thinking, delta: '' }],
    ['thought-delta', '/delta', thought(0), thought(0)],
    ['content-complete', '/content', rewritten, { ...rewritten, content: '' }],
    ['content-complete', '/content', delta(0), { ...delta(0), delta: '' }],
    ['content-complete', '/content', ended, bareTaskEnd],
  ])('removes what events share: from %s %s', (kind, pointer, event, visible) => {
    const viewer = { audience: 'operator', removed: { [kind]: [pointer] } } as Viewer
    expect(project(event as ContextAnyEvent, viewer)).toEqual(visible)
  })

  const live = {
    kind: 'thought-delta',
    contextId: 'c',
    taskId: 't',
    thoughtId: 'x',
    delta: 'd',
    index: 0,
    timestamp,
  } as const
  it('hides a thought whose labels are removed from a viewer that needs them', () => {
    const brief = { ...live, thoughtType: 'planning', verbosity: 'brief' } as const
    const viewer = (pointer: string, thoughts?: ThoughtPolicy): Viewer => ({
      ...{ audience: 'user', removed: { 'thought-delta': [pointer] } },
      ...(thoughts && { thoughts }),
    })
    const { verbosity: _, ...unlabelled } = brief
    expect(project(brief, viewer('/verbosity'))).toBeUndefined()
    expect(project(brief, viewer('/verbosity', {}))).toEqual(unlabelled)
    expect(project(brief, viewer('/thoughtType', { types: ['planning'] }))).toBeUndefined()
  })

  it('does not depend on what becomes of the viewer', () => {
    const own = { ...delta(0), metadata: { rating: MARKER } } as unknown as ContextAnyEvent
    const viewer = {
      audience: 'user',
      metadata: [] as string[],
      removed: { 'content-delta': ['/delta'] },
    } as const
    const { apply } = readFilter(viewer)
    viewer.metadata.push('rating')
    ;(viewer.removed['content-delta'] as unknown as string[]).length = 0
    expect(apply(own)).toEqual({ ...delta(0), delta: '' })
  })

  it('removes the whole array for a pointer into it', () => {
    const removed = { 'thought-stream': ['/metadata/alternatives/0'], 'dataset-write': ['/rows/0/secret'] }
    const viewer: Viewer = { audience: 'operator', removed }
    const withAlternatives = { ...thought(0), metadata: { alternatives: [MARKER], groupId: 'g' } }
    expect(project(withAlternatives, viewer)).toEqual({ ...thought(0), metadata: { groupId: 'g' } })
    const rows = { ...delta(0), kind: 'dataset-write', artifactId: 'a', complete: true } as const
    expect(project({ ...rows, rows: [{ secret: MARKER }] }, viewer)).toEqual({ ...rows, rows: [] })
  })

  it.each<[field: string, viewer: object]>([
    ['viewer.audience', { audience: 'admin' }],
    ['viewer.audience', { audience: '__proto__' }],
    ['viewer.thoughts', { audience: 'user', thoughts: { maxVerbosty: 'brief' } }],
    ['viewer.thoughts.maxVerbosity', { audience: 'user', thoughts: { maxVerbosity: 'breif' } }],
    ['viewer.thoughts.maxVerbosity', { audience: 'user', thoughts: { maxVerbosity: '__proto__' } }],
    ['viewer.thoughts.types', { audience: 'user', thoughts: { types: 'x' } }],
    ['viewer.thoughts.types[1]', { audience: 'user', thoughts: { types: ['planning', 'plan'] } }],
    ['viewer', { audience: 'user', thought: { maxVerbosity: 'brief' } }],
    ['viewer.removed key', { audience: 'user', removed: { tool_start: ['/arguments'] } }],
    ['viewer.removed.tool-start[0]', { audience: 'user', removed: { 'tool-start': ['arguments'] } }],
    ['viewer.subtasks', { audience: 'user', subtasks: true }],
  ])('refuses a viewer whose %s is wrong: %j', (field, viewer) => {
    const message = new RegExp(`^"${field.replace(/[[\]]/g, '\\$&')}" must be .+, got .+\\.$`)
    for (const use of [project.bind(null, delta(0)), readFilter]) {
      expect(() => use(viewer as Viewer)).toThrow(TypeError)
      expect(() => use(viewer as Viewer)).toThrow(message)
    }
  })

  const withConfidence = (confidence?: number) => ({
    ...thought(0),
    metadata: confidence === undefined ? {} : { confidence },
  })
  const policies: readonly [ThoughtPolicy, ContextAnyEvent, boolean][] = [
    [{}, thought(0, 'detailed'), true],
    [{ maxVerbosity: 'none' }, thought(0, 'brief'), false],
    [{ maxVerbosity: 'brief' }, thought(0, 'brief'), true],
    [{ maxVerbosity: 'brief' }, thought(0, 'normal'), false],
    [{ maxVerbosity: 'normal' }, thought(0, 'normal'), true],
    [{ maxVerbosity: 'normal' }, thought(0, 'detailed'), false],
    [{ maxVerbosity: 'normal' }, { ...thought(0), verbosity: 'endless' as 'detailed' }, false],
    [{ maxVerbosity: 'detailed' }, { ...thought(0), verbosity: 'endless' as 'detailed' }, false],
    [{ types: ['planning', 'decision'] }, thought(0), true],
    [{ types: ['decision'] }, thought(0), false],
    [{ minConfidence: 0.7 }, withConfidence(0.7), true],
    [{ minConfidence: 0.7 }, withConfidence(0.69), false],
    [{ minConfidence: 0.7 }, withConfidence(), true],
    [{ minConfidence: 0.7 }, thought(0), true],
    [{ minConfidence: 0.7, unknownConfidence: 'drop' }, withConfidence(), false],
    [{ minConfidence: 0.7, unknownConfidence: 'drop' }, withConfidence(0.8), true],
    [{ unknownConfidence: 'drop' }, withConfidence(), true],
    [{ maxVerbosity: 'none' }, delta(0), true],
    // From JSON: null counts as omitted.
    [fromJson(null), thought(0, 'normal'), true],
    [fromJson(null), thought(0, 'detailed'), false],
    [fromJson({ types: null, minConfidence: null, maxVerbosity: null }), thought(0, 'detailed'), true],
    [fromJson({ minConfidence: 0.7, unknownConfidence: null }), withConfidence(), true],
    ...['__proto__', 'constructor', 'toString'].map((verbosity): (typeof policies)[number] => {
      return [{ maxVerbosity: 'normal' }, { ...thought(0), verbosity: verbosity as 'brief' }, false]
    }),
  ]
  test.each(policies)('policy %j', (thoughts, event, isShown) => {
    expect(project(event, { audience: 'user', thoughts })).toEqual(isShown ? event : undefined)
  })

  test.each<[ThoughtPolicy, boolean]>([
    [{}, true],
    [{ maxVerbosity: 'detailed' }, true],
    [{ maxVerbosity: 'normal' }, false],
    [{ types: ['planning'] }, false],
    [{ minConfidence: 0 }, false],
    [fromJson({ types: null, minConfidence: null, maxVerbosity: null }), true],
  ])('a thought-delta that states no verbosity, with %j', (thoughts, isShown) => {
    expect(project(live, { audience: 'user', thoughts })).toBe(isShown ? live : undefined)
  })

  test('a live thought is shown to whoever is shown the whole thought', () => {
    const types = ['planning', 'reasoning', 'reflection', 'guess'] as const
    const levels = ['brief', 'normal', 'detailed', 'none'] as const
    const tag = fc
      .tuple(fc.constantFrom(...types), fc.constantFrom(...levels), fc.boolean())
      .map(([type, verbosity, isPlain]) =>
        isPlain ? '<thinking>' : `<thinking type=${type} verbosity=${verbosity}>`,
      )
    const output = fc
      .array(fc.tuple(tag, fc.string({ minLength: 1 })))
      .map((parts) => parts.map(([open, text]) => `${open}${text}.</thinking>`).join('Hm. '))
    const policy: fc.Arbitrary<ThoughtPolicy> = fc.record(
      {
        maxVerbosity: fc.constantFrom(...levels.slice(0, 3)),
        types: fc.subarray(types.slice(0, 3) as ThoughtType[]),
      },
      { requiredKeys: [] },
    )
    const viewer: fc.Arbitrary<Viewer> = fc.record(
      { audience: fc.constantFrom(...audiences), thoughts: policy },
      { requiredKeys: ['audience'] },
    )
    fc.assert(
      fc.property(output, fc.integer({ min: 1, max: 9 }), viewer, (text, length, viewer) => {
        const emitter = createEmitter({ contextId: 'c', taskId: 't', now: () => timestamp })
        const machine = run(thoughtEvents({ live: true, dedupe: false }))
        const pieces = text.match(new RegExp(`.{1,${length}}`, 'gsu')) ?? []
        const events = [...pieces.flatMap((piece) => machine.push(piece)), ...machine.end()].map((draft) =>
          emitter.emit(draft),
        )
        const isShown = (event: ContextAnyEvent) => project(event, viewer) !== undefined
        const thoughtsOf = (events: readonly ContextAnyEvent[]) =>
          new Map(events.flatMap((one) => (one.kind === 'thought-stream' ? [[one.thoughtId, one]] : [])))
        const wholes = thoughtsOf(events)
        for (const one of [...events, ...compact(events)]) {
          if (one.kind !== 'thought-delta') continue
          const whole = wholes.get(one.thoughtId) ?? expect.fail('a thought without an end')
          expect(isShown(one)).toBe(isShown(whole))
        }
      }),
      { numRuns: runs(500) },
    )
  })

  test('a live thought is not shown to a policy with minConfidence, as its deltas state none', () => {
    const labelled = { ...live, thoughtType: 'planning', verbosity: 'brief' } as const
    for (const unknownConfidence of ['keep', 'drop'] as const) {
      const thoughts = { minConfidence: 0, unknownConfidence }
      expect(project(labelled, { audience: 'operator', thoughts })).toBeUndefined()
    }
  })
})

/** A value parsed from JSON and not validated. */
function fromJson<T>(value: unknown): T {
  return value as T
}

/** The pointers of all properties of an object, at any depth. */
function pointersIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const pointer = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return [pointer, ...pointersIn(inner, pointer)]
  })
}

/** An event without metadata that are empty, for example as what they had was null. */
function withoutEmpty(event: object): object {
  const { metadata, ...others } = event as { readonly metadata?: object }
  return JSON.stringify(metadata) === '{}' ? others : event
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}

it('an emitter keeps the labels of deltas, and compact shows them to nobody else', () => {
  const label = { metadata: { audience: ['operator'] } }
  const { emit } = createEmitter({ contextId: 'c', taskId: 't', now: () => timestamp })
  const events = [
    emit({ kind: 'content-delta', delta: 'a' }),
    emit({ kind: 'content-delta', delta: MARKER, ...label }),
    emit({ kind: 'thought-delta', thoughtId: 'x', delta: MARKER, verbosity: 'brief', ...label }),
    emit({ kind: 'tool-arguments-delta', toolCallId: 'y', toolName: 'z', delta: MARKER, ...label }),
    emit({ kind: 'content-delta', delta: 'b' }),
  ]
  for (const audience of audiences) {
    const shown = compact(events).flatMap((event) => project(event, { audience }) ?? [])
    expect(JSON.stringify(shown).includes(MARKER)).toBe(audience === 'operator')
    expect(shown).toHaveLength(audience === 'operator' ? 5 : 2)
  }
})

describe('the events of a subtask', () => {
  const anyEvent = fc
    .constantFrom(...eventKinds)
    .chain((kind) => accepted(contextEventSchemas[kind]) as fc.Arbitrary<ContextAnyEvent>)
  const related = fc
    .tuple(anyEvent, fc.boolean())
    .map(([{ parentTaskId: _, ...event }, isSub]) => ({ ...event, ...(isSub && { parentTaskId: 'root' }) }))

  it('are shown to the audiences of audienceOf, by project and by a router', () => {
    fc.assert(
      fc.property(related as fc.Arbitrary<ContextAnyEvent>, fc.constantFrom(...viewers), (event, viewer) => {
        const visible = project(event, viewer)
        if (!audienceOf(event).includes(viewer.audience)) expect(visible).toBeUndefined()
        const delivered: unknown[] = []
        const router = createRouter()
        router.subscribe('**', { viewer }, (event) => delivered.push(event))
        router.route(event)
        expect(delivered).toEqual(visible === undefined ? [] : [visible])
      }),
      { numRuns: runs(300) },
    )
  })

  it('are all shown to a viewer with subtasks: all', () => {
    const subtaskThought = { ...thought(0, 'brief'), parentTaskId: 'root' }
    expect(project(subtaskThought, { audience: 'user' })).toBeUndefined()
    expect(project(subtaskThought, { audience: 'parent' })).toBe(subtaskThought)
    expect(project(subtaskThought, { audience: 'user', subtasks: 'all' })).toBe(subtaskThought)
    expect(readFilter({ audience: 'user', subtasks: 'all' }).id).not.toBe(readFilter({ audience: 'user' }).id)
  })
})

/** An empty value of the same type; `undefined` where there is none. */
function emptied(value: unknown): unknown {
  if (typeof value === 'string') return ''
  if (Array.isArray(value)) return []
  return {}
}

/** A copy of an event with a field replaced, or without it; a pointer into an array replaces the array. */
function replaced(event: object, pointer: string, replacement: (value: unknown) => unknown): object {
  const copy = structuredClone(event) as Record<string, unknown>
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  let place = copy
  for (const [i, name] of names.entries()) {
    const value = place[name]
    if (i < names.length - 1 && !Array.isArray(value)) place = value as Record<string, unknown>
    else {
      const next = replacement(value)
      if (next === undefined) delete place[name]
      else place[name] = next
      break
    }
  }
  return copy
}
