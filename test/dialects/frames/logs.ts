/** Random legal logs and streams of events. */
import fc from 'fast-check'
import {
  type AnyFrame,
  type FrameV1,
  type FrameV2,
  upgradeFrame,
} from '../../../src/dialects/frames/index.ts'
import { toUnicode } from '../../../src/encoding/unicode.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import * as arbitrary from '../../support/zod-arbitrary.ts'

const { damaged } = arbitrary
/** Half a surrogate pair is not read as it is. */
const unicode = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  values.map((value) => toUnicode(value, () => {}) as T)
const json = unicode(arbitrary.json)
const text = unicode(arbitrary.text)

type Body = { type: string; [field: string]: unknown }

const object = fc.dictionary(fc.constantFrom('a', 'b', 'path'), json, { maxKeys: 2 })
/** Usually an object, but the runtime allows any JSON. */
const anyJson = fc.oneof({ weight: 2, arbitrary: object }, json)
const maybeJson = fc.option(anyJson)
/** Fields a newer runtime may write. */
const more = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.record({ x_new: fc.tuple(json) }),
) as fc.Arbitrary<object>
const duration = fc.nat(500)

const bodyOf = (type: string, fields: fc.Arbitrary<object>): fc.Arbitrary<Body> =>
  fc.tuple(fields, more).map(([own, extra]) => ({ type, ...own, ...extra }))

/** A tool call. Its id is added later, as it must be unique. */
const toolCall: fc.Arbitrary<Body[]> = fc
  .tuple(
    bodyOf(
      'tool_started',
      fc.record({
        name: fc.constantFrom('bash', 'edit'),
        args: anyJson,
        timeout_ms: fc.option(fc.constant(500)),
      }),
    ),
    fc.array(
      fc.oneof(
        bodyOf('tool_stdout', fc.record({ chunk: text })),
        bodyOf('tool_stderr', fc.record({ chunk: text })),
        bodyOf('output_text_delta', fc.record({ delta: text })),
      ),
      { maxLength: 3 },
    ),
    fc.oneof(
      bodyOf(
        'tool_ended',
        fc.record({ exit_code: fc.constantFrom(0, 0, 1, -1), duration_ms: duration, artifacts: maybeJson }),
      ),
      bodyOf('tool_failed', fc.record({ error: text })),
    ),
    fc.boolean(),
  )
  .map(([start, outputs, end, hasCheckpoint]) => {
    const files = { label: 'l', created_at_ms: 0, files: ['a'], auto: true, tool_name: start.name }
    const checkpoint = hasCheckpoint ? [{ type: 'checkpoint_created', checkpoint_id: 'c', ...files }] : []
    return [...checkpoint, start, ...outputs, end]
  })

const providerEvent = fc.oneof(
  bodyOf(
    'provider_event',
    fc.record({
      provider: fc.constant('p'),
      status: fc.constant('event'),
      event_name: fc.option(text),
      data: fc.oneof(object, fc.constant([1])),
      raw: fc.constant(null),
      errors: fc.array(text, { maxLength: 1 }),
      response_errors: fc.constant([]),
    }),
  ),
  fc.constant<Body>({
    type: 'provider_event',
    provider: 'p',
    status: 'done',
    event_name: null,
    data: null,
    raw: '[DONE]',
    errors: [],
    response_errors: [],
  }),
)

const unknown = bodyOf('made_up', fc.record({ what: fc.tuple(json) }))

const sessionBodies: fc.Arbitrary<Body[]> = fc
  .tuple(
    bodyOf('session_started', fc.record({ input: text })),
    fc.array(
      fc.oneof(
        bodyOf('output_text_delta', fc.record({ delta: text })).map((body) => [body]),
        toolCall,
        fc
          .oneof(
            providerEvent,
            unknown,
            bodyOf('checkpoint_failed', fc.record({ action: fc.constant('create'), error: text })),
          )
          .map((body) => [body]),
      ),
      { maxLength: 6 },
    ),
    bodyOf(
      'session_ended',
      fc.record({ reason: fc.constantFrom('completed', 'cancelled', 'canceled', 'provider_error', 'hook') }),
    ),
  )
  .map(([start, steps, end]) => {
    const bodies = steps.flatMap((step, i) =>
      step.map((body) => (body.type.startsWith('tool_') ? { ...body, tool_id: `t${i}` } : body)),
    )
    return [start, ...bodies, end]
  })

const taskBodies = (id: string): fc.Arbitrary<Body[]> =>
  fc
    .tuple(
      bodyOf(
        'tool_task_spawned',
        fc.record({
          tool_name: fc.constant('serve'),
          args: anyJson,
          cwd: fc.option(text),
          title: fc.option(text),
          execution_mode: fc.constant('pipes'),
          origin_session_id: fc.option(fc.constantFrom('s1', 's2')),
          artifacts: maybeJson,
        }),
      ),
      fc.boolean(),
      fc.array(
        fc.oneof(
          bodyOf(
            'tool_task_output_delta',
            fc.record({ stream: fc.constantFrom('stdout', 'stderr'), chunk: text, artifacts: maybeJson }),
          ),
          bodyOf('tool_task_signalled', fc.record({ signal: text })),
          bodyOf('tool_task_cancel_requested', fc.record({ reason: text })),
          unknown,
        ),
        { maxLength: 4 },
      ),
      fc.constantFrom('exited', 'failed', 'timeout', 'cancelled'),
      fc.constantFrom(0, 1, null),
    )
    .map(([spawn, isRunning, steps, end, exit_code]) => {
      const status = (name: string, fields: object): Body => ({
        type: 'tool_task_status',
        status: name,
        exit_code: null,
        started_at_ms: null,
        ended_at_ms: null,
        artifacts: null,
        error: null,
        ...fields,
      })
      const request = { type: 'tool_task_cancel_requested', reason: 'r' }
      const cancel = { type: 'tool_task_cancelled', reason: 'r', wall_time_ms: 1 }
      const bodies = [
        spawn,
        ...(isRunning ? [status('running', { started_at_ms: 1 })] : []),
        ...steps,
        ...(end === 'cancelled' ? [request, cancel] : []),
        status(end, { exit_code, ended_at_ms: 2, started_at_ms: 1 }),
      ]
      return bodies.map((body) => (body.type === 'made_up' ? body : { ...body, task_id: id }))
    })

const numbered = (session_id: string, bodies: readonly Body[]): AnyFrame[] =>
  bodies.map((body, seq) => ({ id: `${session_id}/${seq}`, session_id, timestamp_ms: 0, seq, ...body }))

/** Merges lists, keeping the order within each. */
function interleaved<T>(lists: readonly T[][], picks: readonly number[]): T[] {
  const rest = lists.map((list) => [...list])
  const out: T[] = []
  for (let i = 0; ; i++) {
    const open = rest.filter((list) => list.length > 0)
    if (open.length === 0) return out
    const next = open[(picks[i % picks.length] ?? 0) % open.length]?.shift()
    if (next !== undefined) out.push(next)
  }
}

const picks = fc.array(fc.nat(5), { minLength: 8, maxLength: 8 })

/** A legal log of version 1: sessions, tasks and a stream of unknown types, interleaved. */
export const legalLog: fc.Arbitrary<AnyFrame[]> = fc
  .tuple(
    sessionBodies,
    fc.oneof(fc.constant([]), sessionBodies),
    fc.oneof(fc.constant([]), taskBodies('k1')),
    fc
      .array(unknown, { maxLength: 2 })
      .map((bodies) => bodies.map((body) => ({ ...body, type: 'continuity_x' }))),
    picks,
  )
  .map(([first, second, task, thread, order]) => {
    const streams = [
      numbered('s1', first),
      numbered('s2', second),
      numbered('k1', task),
      numbered('c1', thread),
    ]
    // One clock stamps the whole log.
    return interleaved(streams, order).map((frame, i) => ({ ...frame, timestamp_ms: 1_769_855_400_000 + i }))
  })

const v2Bodies = fc.oneof(
  bodyOf(
    'artifact_written',
    fc.record({
      artifact_id: fc.constant('a1'),
      kind: text,
      bytes: fc.nat(),
      digest: fc.constant('sha256:00'),
      preview: text,
    }),
  ),
  bodyOf('skill_catalog_updated', fc.record({ count: fc.nat(), roots: fc.array(text), collisions: json })),
  bodyOf(
    'skill_loaded',
    fc.record({ name: fc.constant('s'), path: text, digest: text, frontmatter: object }),
  ),
  bodyOf('skill_warning', fc.record({ kind: text, detail: text })),
)

/** A legal log of version 2: that of version 1, and a stream of the types that version 2 adds. */
export const legalLogV2: fc.Arbitrary<AnyFrame[]> = fc
  .tuple(legalLog, fc.array(v2Bodies, { maxLength: 3 }), fc.boolean())
  .map(([log, bodies, hasAlias]) => {
    const kindOf = ({ session_id }: FrameV1): string =>
      ({ s: 'session', k: 'task', c: 'continuity' })[session_id.charAt(0)] ?? ''
    const frames = log.map((frame) => upgradeFrame({ ...frame, stream_kind: kindOf(frame as FrameV1) }))
    const own = numbered('x', bodies).map((frame) =>
      upgradeFrame({ ...frame, stream_kind: 'artifact', timestamp_ms: 1_769_855_400_000 }),
    )
    const all = [...frames, ...own]
    if (hasAlias) return all
    return all.map((frame) => {
      const { session_id, ...rest } = frame as unknown as FrameV2
      return rest as AnyFrame
    })
  })

/** A log in which some frames are missing, repeated, late or damaged. */
export function mutated(logs: fc.Arbitrary<AnyFrame[]>): fc.Arbitrary<AnyFrame[]> {
  const change = fc.record({ how: fc.constantFrom('drop', 'repeat', 'move'), at: fc.nat(), to: fc.nat() })
  return fc.tuple(logs, fc.array(change, { minLength: 1, maxLength: 4 })).chain(([log, changes]) => {
    const frames = [...log]
    for (const { how, at, to } of changes) {
      const i = at % Math.max(frames.length, 1)
      const frame = frames[i]
      if (frame === undefined) break
      if (how !== 'repeat') frames.splice(i, 1)
      if (how !== 'drop') frames.splice(to % (frames.length + 1), 0, frame)
    }
    const bad = damaged(fc.constantFrom(...log)).map(
      (value) => JSON.parse(JSON.stringify(value) ?? 'null') as AnyFrame,
    )
    return fc.tuple(bad, fc.nat()).map(([frame, at]) => frames.toSpliced(at % (frames.length + 1), 0, frame))
  })
}

type Draft = { kind: string; [field: string]: unknown }

/** A segment of text: deltas, and the whole. */
const segment: fc.Arbitrary<Draft[]> = fc
  .tuple(fc.array(text, { maxLength: 3 }), text)
  .map(([deltas, whole]) => [
    ...deltas.map((delta, index) => ({ kind: 'content-delta', delta, index })),
    { kind: 'content-complete', content: deltas.length > 0 ? deltas.join('') : whole },
  ])

const call: fc.Arbitrary<Draft[]> = fc
  .tuple(
    object,
    fc.array(fc.record({ stream: fc.constantFrom('stdout', 'stderr'), chunk: text }), { maxLength: 2 }),
    fc.oneof(
      fc.record({ success: fc.constant(true), metadata: fc.record({ duration }) }),
      fc.record({ success: fc.constant(true), metadata: fc.record({ duration }), result: json }),
      fc.record({ success: fc.constant(false), error: text }),
    ),
  )
  .map(([args, chunks, end]) => [
    { kind: 'tool-start', toolName: 'ls', arguments: args },
    ...chunks.map((metadata) => ({ kind: 'tool-progress', progress: 0, metadata })),
    { kind: 'tool-complete', toolName: 'ls', ...end },
  ])

const other: fc.Arbitrary<Draft[]> = fc.constantFrom<Draft[]>(
  [{ kind: 'task-error', error: { code: 'internal', message: 'x', retry: 'retrying' } }],
  [{ kind: 'data-write', artifactId: 'd', data: { a: 1 } }],
  [{ kind: 'internal:llm-call', iteration: 0, model: 'm', messageCount: 1, toolCount: 0 }],
)

/** A task from its creation to its end. */
const taskDrafts = (id: string): fc.Arbitrary<Draft[]> =>
  fc
    .tuple(
      fc.option(text),
      fc.array(fc.oneof(segment, call, other), { maxLength: 5 }),
      fc.constantFrom('completed', 'failed', 'canceled'),
      fc.boolean(),
    )
    .map(([input, steps, status, isResult]) => [
      { kind: 'task-created', initiator: 'user', ...(input !== null && { metadata: { input } }) },
      { kind: 'task-status', status: 'working' },
      ...steps.flatMap((step, i) =>
        step.map((draft) =>
          draft.kind.startsWith('tool-') ? { ...draft, toolCallId: `${id}-t${i}` } : draft,
        ),
      ),
      { kind: 'task-status', status },
      ...(status === 'completed' && isResult ? [{ kind: 'task-complete' }] : []),
    ])

/** A legal stream of events: two tasks, interleaved. */
export const legalEvents: fc.Arbitrary<ContextAnyEvent[]> = fc
  .tuple(taskDrafts('a'), fc.oneof(fc.constant([]), taskDrafts('b')), picks)
  .map(([a, b, order]) => {
    const stamped = (taskId: string, drafts: Draft[]) =>
      drafts.map(({ kind, ...draft }) => ({ kind, contextId: 'c', taskId: `session:${taskId}`, ...draft }))
    // The first task is the session.
    const [first, ...rest] = stamped('a', a)
    return [first, ...interleaved([rest, stamped('b', [...b])], order)].map((event, i) => ({
      ...event,
      timestamp: new Date(1_769_855_400_000 + i).toISOString(),
    })) as unknown as ContextAnyEvent[]
  })

/** A legal frame or an arbitrary value. */
export const anyFrame: fc.Arbitrary<AnyFrame> = fc.oneof(
  legalLog.chain((frames) => fc.constantFrom(...frames)),
  fc.constantFrom(null, 7, {}, { type: 'session_ended' }) as unknown as fc.Arbitrary<AnyFrame>,
)
