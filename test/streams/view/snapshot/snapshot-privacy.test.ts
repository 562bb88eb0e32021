// Tests that a snapshot shows each viewer what the stream shows, and that nothing hidden reaches a viewer through it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../../../src/index.ts'
import { audiences, isAllowedByLabel, isOperatorOnly } from '../../../../src/streams/access/audience.ts'
import type { ThoughtPolicy } from '../../../../src/streams/access/filter.ts'
import {
  type Audience,
  closeDangling,
  createStream,
  emptyView,
  foldEvents,
  project,
  snapshotEvents,
  type View,
  type Viewer,
} from '../../../../src/streams/index.ts'
import { labelOf } from '../../../../src/streams/view/audience-label.ts'
import { itemOf, withLabels } from '../../../support/legal-streams/labels.ts'
import { runs } from '../../../support/runs.ts'
import { approvalStreams, soundStreams } from '../../verify/support.ts'
import { restored, seesHalves } from '../restored.ts'
import { created, events } from '../support.ts'

const label = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.subarray([...audiences] as Audience[]) },
)
const labels = fc.array(label, { minLength: 1, maxLength: 12 })

const streams = fc
  .tuple(
    fc.boolean(),
    fc.nat(),
    fc.oneof(
      soundStreams({ maxChoices: 60 }),
      soundStreams({ maxChoices: 30, sharedArtifacts: true, focus: 'artifacts' }),
      soundStreams({ maxChoices: 30, focus: 'texts' }),
      approvalStreams,
    ),
  )
  .map(([isCut, n, events]) => (isCut ? events.slice(0, n % (events.length + 1)) : events))

const policy: fc.Arbitrary<ThoughtPolicy> = fc.record(
  {
    maxVerbosity: fc.constantFrom('none', 'brief', 'normal', 'detailed'),
    types: fc.subarray(['planning', 'reasoning', 'decision'] as const),
    minConfidence: fc.constantFrom(0, 0.5),
    unknownConfidence: fc.constantFrom('keep', 'drop'),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<ThoughtPolicy>

/** Fields that stand in one kind of an item, or whose removal from one kind removes them from the others. */
const removable: Readonly<Record<string, readonly string[]>> = {
  'task-created': ['/metadata/input', '/metadata/model'],
  'task-status': ['/message', '/error/details'],
  'task-complete': ['/content', '/metadata/usage'],
  'tool-start': ['/arguments', '/metadata/provider', '/metadata/signature'],
  'tool-complete': ['/result', '/metadata/duration', '/metadata/provider'],
  'tool-progress': ['/metadata/chunk', '/message'],
  'input-required': ['/prompt', '/options'],
  'subtask-created': ['/prompt', '/agentId'],
  'file-write': ['/name', '/metadata/toolCallId'],
  'thought-stream': ['/metadata/alternatives', '/content'],
  custom: ['/data'],
}

const viewers: fc.Arbitrary<Viewer> = fc.record(
  {
    audience: fc.constantFrom(...(audiences as readonly Audience[])),
    thoughts: policy,
    subtasks: fc.constant('all'),
    removed: fc
      .subarray(Object.keys(removable))
      .map((kinds) => Object.fromEntries(kinds.map((kind) => [kind, removable[kind] ?? []]))),
  },
  { requiredKeys: ['audience'] },
) as fc.Arbitrary<Viewer>

function projected(events: readonly ContextAnyEvent[], viewer: Viewer): ContextAnyEvent[] {
  return events.flatMap((event) => project(event, viewer) ?? [])
}

const at = { contextId: 'ctx-1', taskId: 'task-1', timestamp: '2026-01-31T10:30:00.045Z' }
/** The reset is shown though its task is hidden: it has no label of its own. */
const resetOfHidden = [
  { ...at, kind: 'task-created', initiator: 'agent' },
  { ...at, kind: 'iteration-reset', iteration: 0 },
] as ContextAnyEvent[]
const call = { toolCallId: 'call-1', toolName: 'search' }
const cutCall = [
  { ...at, kind: 'task-created', initiator: 'agent' },
  { ...at, kind: 'tool-arguments-delta', ...call, delta: '{', index: 0 },
] as ContextAnyEvent[]
const inPieces = [
  ...cutCall,
  { ...at, kind: 'tool-arguments-delta', ...call, delta: '}', index: 1 },
  { ...at, kind: 'tool-start', ...call, arguments: {} },
] as ContextAnyEvent[]
const noArguments = { 'tool-start': ['/arguments'] }

describe('a projected snapshot', () => {
  it('folds to what the projected stream folds to, if the events of each item have one label', () => {
    fc.assert(
      fc.property(streams, labels, viewers, (stream, some, viewer) => {
        const events = withLabels(stream, some)
        const isOrdered = !seesHalves(events, viewer)
        const snapshot = snapshotEvents(foldEvents(emptyView, events))
        const shown = foldEvents(emptyView, projected(snapshot, viewer))
        const expected = foldEvents(emptyView, projected(events, viewer))
        const [actual, wanted] = [shown, expected].map((view) => restored(view, isOrdered) as View) as [
          View,
          View,
        ]
        // An event of a task that is hidden may name the context, and nothing else that a snapshot has.
        const isEmpty = wanted.tasks.length === 0 && wanted.artifacts.length === 0
        expect(actual).toEqual(isEmpty ? { ...wanted, contextId: actual.contextId } : wanted)
      }),
      {
        numRuns: runs(150),
        examples: [[resetOfHidden, [[]], { audience: 'user' }]],
      },
    )
  })
})

const CANARY = 'canary-7f3a'
/** Fields with ids, which are the same in several events, and fields whose values are fixed. */
const bound =
  /^(kind|contextId|taskId|parentTaskId|path|timestamp\w*|status|initiator|audience|encoding|digest|thoughtType|verbosity|inputType|authType|reason|providedBy|outcome|code|retry|scope|op|type|urgency|\w*Id|artifacts)$/

type Shown = (event: ContextAnyEvent, viewer: Viewer) => ContextAnyEvent | undefined

/**
 * What a viewer is shown of an event, or may learn from the end of its item. Pieces of arguments are hidden from a viewer
 * without arguments, as what was removed cannot be found in them; the end of the call names it nevertheless.
 */
function learned(event: ContextAnyEvent, viewer: Viewer): ContextAnyEvent | undefined {
  const isPiece = event.kind === 'tool-arguments-delta' && viewer.removed?.['tool-start'] !== undefined
  return project(event, isPiece ? { ...viewer, removed: { 'tool-arguments-delta': ['/delta'] } } : viewer)
}

/** A copy of an event with a canary in each text that the viewer is not shown. */
function withCanaries(event: ContextAnyEvent, viewer: Viewer, shown: Shown = project): ContextAnyEvent {
  let marked = event
  for (const path of textsIn(event)) {
    const candidate = structuredClone(marked)
    const last = path.at(-1) ?? ''
    const holder = path.slice(0, -1).reduce((at, key) => at[key] as Fields, candidate as unknown as Fields)
    // In front, so that it stays in bytes and in a JSON text.
    holder[last] = `${CANARY}${String(holder[last])}`
    if (!JSON.stringify(shown(candidate, viewer) ?? null).includes(CANARY)) marked = candidate
  }
  return marked
}

type Fields = Record<string, unknown>

function textsIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value === 'string') return [[...path]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    bound.test(key) ? [] : textsIn(inner, [...path, key]),
  )
}

/** Gives the ids that only hidden events have a canary. */
function withHiddenIds(
  events: readonly ContextAnyEvent[],
  viewer: Viewer,
  shown: Shown = project,
): ContextAnyEvent[] {
  const seen = events.flatMap((event) => shown(event, viewer) ?? [])
  const visible = new Set(JSON.stringify(seen).match(/"[a-z]+-\d+"/g))
  return JSON.parse(
    JSON.stringify(events).replaceAll(
      /"((?:call|input|auth|thought|file|data|dataset)-\d+)"/g,
      (whole, id) => (visible.has(whole) ? whole : `"${CANARY}${id}"`),
    ),
  ) as ContextAnyEvent[]
}

describe('nothing that was hidden', () => {
  const SECRET = 'secret'
  const metadata = { audience: ['parent'] }
  const user: Viewer = { audience: 'user' }
  const sub = { taskId: 'sub', parentTaskId: 'task' }
  const create = { kind: 'task-created', initiator: 'agent' }

  it.each<[name: string, viewer: Viewer, events: readonly object[]]>([
    [
      'a stretch of an open text',
      user,
      [
        { kind: 'content-delta', delta: 'a', index: 0 },
        { kind: 'content-delta', delta: SECRET, index: 1, metadata },
      ],
    ],
    [
      'a stretch of a complete text',
      user,
      [
        { kind: 'content-delta', delta: 'a', index: 0 },
        { kind: 'content-delta', delta: SECRET, index: 1, metadata },
        { kind: 'content-complete', content: 'a' },
      ],
    ],
    [
      'an unfinished thought of unknown type',
      { audience: 'operator', thoughts: { types: ['reasoning'] } },
      [{ kind: 'thought-delta', thoughtId: 'th', delta: SECRET, index: 0 }],
    ],
    [
      'an unfinished thought',
      user,
      [
        {
          kind: 'thought-delta',
          thoughtId: SECRET,
          delta: SECRET,
          thoughtType: 'planning',
          verbosity: 'brief',
          index: 0,
          metadata,
        },
      ],
    ],
    [
      'the name of a tool whose arguments are being written',
      { audience: 'observer' },
      [{ kind: 'tool-arguments-delta', toolCallId: 'c', toolName: SECRET, delta: '{', index: 0 }],
    ],
    [
      'the name of a tool of a subtask whose arguments are being written',
      user,
      [
        { ...create, ...sub },
        { kind: 'tool-arguments-delta', ...sub, toolCallId: 'c', toolName: SECRET, delta: '{', index: 0 },
      ],
    ],
    [
      'the name of a tool',
      user,
      [
        { kind: 'tool-start', toolCallId: 'c', toolName: SECRET, arguments: {}, metadata },
        { kind: 'tool-progress', toolCallId: 'c', progress: 0.5 },
      ],
    ],
    [
      'a request',
      user,
      [{ kind: 'input-required', inputId: SECRET, inputType: 'custom', prompt: '', metadata }],
    ],
    [
      'an authentication',
      user,
      [{ kind: 'auth-required', authId: SECRET, authType: 'custom', prompt: '', metadata }],
    ],
    ['a subtask', user, [{ ...create, taskId: SECRET, parentTaskId: 'task', metadata }]],
    [
      'an announced subtask',
      user,
      [{ kind: 'subtask-created', subtaskId: SECRET, prompt: SECRET, metadata }],
    ],
    ...['/metadata', '/metadata/cost', '/success'].map((pointer): [string, Viewer, object[]] => [
      `the metadata of the end of a call, without ${pointer}`,
      { audience: 'operator', removed: { 'tool-complete': [pointer] } },
      [
        { kind: 'tool-start', toolCallId: 'c', toolName: 'x', arguments: {} },
        { kind: 'tool-complete', toolCallId: 'c', toolName: 'x', success: true, metadata: { cost: SECRET } },
      ],
    ]),
    ...['/content', '/index'].map((pointer): [string, Viewer, object[]] => [
      `a thought out of order, without ${pointer}`,
      { audience: 'operator', removed: { 'thought-stream': [pointer] } },
      [1, 0].map((index) => ({
        kind: 'thought-stream',
        thoughtId: `th-${index}`,
        thoughtType: 'planning',
        verbosity: 'brief',
        content: SECRET,
        index,
      })),
    ]),
    [
      'an artifact that another task has changed',
      user,
      [
        {
          kind: 'file-write',
          artifactId: 'f',
          data: SECRET,
          index: 0,
          complete: true,
          name: SECRET,
          metadata,
        },
        { ...create, ...sub },
        {
          kind: 'artifact-delta',
          ...sub,
          artifactId: 'f',
          baseVersion: 1,
          version: 2,
          change: { type: 'text-append', text: 'b' },
        },
      ],
    ],
  ])('reaches a viewer: %s', (_, viewer, list) => {
    const stream = [created, ...events(...list)]
    expect(JSON.stringify(stream)).toContain(SECRET)
    expect(JSON.stringify(projected(stream, viewer))).not.toContain(SECRET)
    const view = foldEvents(emptyView, stream)
    const ended = closeDangling(view, { reason: 'gone', at: '2026-03-01T00:00:00Z' })
    for (const some of [snapshotEvents(view), ended, snapshotEvents(foldEvents(view, ended))]) {
      expect(projected(some, viewer).filter((event) => JSON.stringify(event).includes(SECRET))).toEqual([])
    }
  })

  it('reaches a viewer through a snapshot, whatever the labels', () => {
    fc.assert(
      fc.property(streams, labels, viewers, fc.boolean(), (stream, some, viewer, byEvent) => {
        const labelled = withHiddenIds(withLabels(stream, some, byEvent), viewer)
        const events = labelled.map((event) => withCanaries(event, viewer))
        expect(JSON.stringify(projected(events, viewer))).not.toContain(CANARY)
        const view = JSON.parse(JSON.stringify(foldEvents(emptyView, events))) as View
        expect(JSON.stringify(projected(snapshotEvents(view), viewer))).not.toContain(CANARY)
      }),
      { numRuns: runs(150) },
    )
  })

  /** A thought that was cut off has no confidence: whether it is shown is for the policy to say. */
  const withoutConfidence = viewers.filter(({ thoughts }) => thoughts?.minConfidence === undefined)

  it('reaches a viewer through the end of a dangling stream, whatever the labels', () => {
    fc.assert(
      fc.property(streams, labels, withoutConfidence, fc.boolean(), (stream, some, viewer, byEvent) => {
        const labelled = withHiddenIds(withLabels(stream, some, byEvent), viewer, learned)
        const events = labelled.map((event) => withCanaries(event, viewer, learned))
        const view = JSON.parse(JSON.stringify(foldEvents(emptyView, events))) as View
        const rest = closeDangling(view, { reason: 'gone', at: '2026-03-01T00:00:00Z' })
        expect(JSON.stringify(projected(rest, viewer))).not.toContain(CANARY)
      }),
      {
        numRuns: runs(150),
        examples: [
          [cutCall, [undefined], { audience: 'user', removed: noArguments }, false],
          [cutCall, [undefined], { audience: 'observer', removed: noArguments }, false],
        ],
      },
    )
  })

  const lateCall = events({ kind: 'tool-start', toolCallId: 'k', toolName: 'n', arguments: {} })

  it('is a task of which a viewer saw nothing, also of a stream that was joined late', () => {
    const narrow = fc.array(fc.subarray([...audiences]), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(streams, fc.nat(), narrow, fc.constantFrom(...audiences), (stream, n, some, audience) => {
        const events = withLabels(stream.slice(n % (stream.length + 1)), some, true)
        const shown = events.filter(
          (event) => !isOperatorOnly(event.kind) && isAllowedByLabel(event, audience),
        )
        const known = shown.flatMap((event) => [event.taskId, 'subtaskId' in event && event.subtaskId])
        const view = foldEvents(emptyView, events)
        const rest = closeDangling(view, { reason: 'gone', at: '2026-03-01T00:00:00Z' })
        const ends = rest.filter((event) => isAllowedByLabel(event, audience))
        expect(known).toEqual(expect.arrayContaining(ends.map(({ taskId }) => taskId)))
      }),
      { numRuns: runs(1000), examples: [[lateCall, 0, [[]], 'user']] },
    )
  })

  it('is the end of a call: a viewer without arguments is told of the same ends as one with them', () => {
    fc.assert(
      fc.property(streams, labels, viewers, fc.boolean(), (stream, some, { audience }, byEvent) => {
        const view = foldEvents(emptyView, withLabels(stream, some, byEvent))
        const rest = closeDangling(view, { reason: 'gone', at: '2026-03-01T00:00:00Z' })
        expect(projected(rest, { audience, removed: noArguments })).toEqual(projected(rest, { audience }))
      }),
      { numRuns: runs(100), examples: [[cutCall, [undefined], { audience: 'user' }, false]] },
    )
  })
})

/** The n-th instant, as text that is part of no other one. */
const instant = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString()

/**
 * Instants of hidden events, without those at which an item began of which the viewer sees later events: for everybody, or for
 * those who see the labels of its audience.
 */
function hiddenInstants(events: readonly ContextAnyEvent[], viewer: Viewer): string[] {
  const isShown = events.map((event) => project(event, viewer) !== undefined)
  const items = events.map((event, position) => `${event.taskId} ${itemOf(event, position)}`)
  const shown = new Set(items.filter((_, i) => isShown[i]))
  const first = (item: string, isOf: (event: ContextAnyEvent) => boolean): number =>
    events.findIndex((event, i) => items[i] === item && isOf(event))
  return events.flatMap(({ kind, timestamp }, i) => {
    const item = items[i] ?? ''
    if (isShown[i]) return []
    const isBeginning =
      first(item, () => true) === i ||
      first(item, (event) => labelOf(event)?.includes(viewer.audience) !== false) === i
    return isBeginning && shown.has(item) && begins.has(kind) ? [] : [timestamp]
  })
}

/** The kinds that a viewer may not see of an item of which it sees other kinds. */
const begins: ReadonlySet<string> = new Set(['tool-arguments-delta', 'thought-delta'])

describe('no instant of a hidden event', () => {
  const hidden = { metadata: { audience: ['parent'] } }
  const thought = { kind: 'thought-stream', thoughtId: 'th', thoughtType: 'planning', verbosity: 'detailed' }

  it.each<[name: string, events: readonly object[]]>([
    ['the latest of an open task', [{ kind: 'tool-start', toolCallId: 'c', toolName: 't', ...hidden }]],
    ['a thought before the status', [thought, { kind: 'task-status', status: 'working' }]],
    ['a transient event of a task without parts', [{ kind: 'custom', transient: true, ...hidden }]],
    [
      'a part before the end of the text before it',
      [
        { kind: 'content-delta', delta: 'a', index: 0 },
        { kind: 'tool-start', toolCallId: 'c', toolName: 't', ...hidden },
        { kind: 'content-complete', content: 'a' },
      ],
    ],
    [
      'a status of a completed task',
      [{ kind: 'task-complete' }, { kind: 'task-status', status: 'completed', ...hidden }],
    ],
  ])('is in the snapshot: %s', (_, list) => {
    const defaults = { name: 'a.b', data: 0, arguments: {}, content: '', index: 0 }
    const whole = [created, ...events(...list.map((event) => ({ ...defaults, ...event })))]
    const stream = whole.map((event, n) => ({ ...event, timestamp: instant(n) }))
    const user: Viewer = { audience: 'user' }
    const canaries = hiddenInstants(stream, user)
    expect(canaries).toHaveLength(1)
    const snapshot = projected(snapshotEvents(foldEvents(emptyView, stream)), user)
    expect(snapshot.filter(({ timestamp }) => canaries.includes(timestamp))).toEqual([])
  })

  it('reaches a viewer through a snapshot, a reset or a view, whatever the labels', async () => {
    await fc.assert(
      fc.asyncProperty(streams, labels, viewers, fc.boolean(), async (stream, some, viewer, byEvent) => {
        const events = withLabels(stream, some, byEvent).map((event, n) => ({
          ...event,
          timestamp: instant(n),
        }))
        const canaries = hiddenInstants(events, viewer)
        const snapshot = projected(snapshotEvents(foldEvents(emptyView, events)), viewer)
        const log = createStream({ stream: 's', epoch: 'e', limits: { maxEvents: 1 } })
        for (const event of events) await log.append(event)
        await log.close()
        const { body } = log.respond(null, { viewer })
        const texts = [snapshot, foldEvents(emptyView, snapshot), await new Response(body).text()]
        for (const text of texts.map((value) => JSON.stringify(value))) {
          expect(canaries.filter((canary) => text.includes(canary))).toEqual([])
        }
      }),
      {
        numRuns: runs(150),
        examples: [[inPieces, [undefined, [], undefined], { audience: 'user', removed: noArguments }, true]],
      },
    )
  })
})

it('a text that something hidden interrupts is one event in the snapshot of what a viewer sees', () => {
  const hidden = { metadata: { audience: ['operator'] } }
  const stream = events(
    created,
    { kind: 'content-delta', delta: 'a', index: 0 },
    { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: {}, ...hidden },
    { kind: 'content-delta', delta: 'b', index: 1 },
    { kind: 'content-complete', content: 'ab' },
  )
  const seen = projected(snapshotEvents(foldEvents(emptyView, stream)), { audience: 'user' })
  const texts = snapshotEvents(foldEvents(emptyView, seen)).filter(({ kind }) => kind.startsWith('content'))
  expect(texts).toMatchObject([{ kind: 'content-complete', content: 'ab' }])
})
