// A legal log has no violations, and each violation is reported at its place.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { boundedValues } from '../../../src/core/bounded-map/bounded-map.ts'
import { type AnyFrame, frameRules, frameVerifier, upgradeFrame } from '../../../src/dialects/frames/index.ts'
import type { FrameVerifierState } from '../../../src/dialects/frames/verify/state.ts'
import type { FrameVerifierOptions } from '../../../src/dialects/frames/verify/verifier.ts'
import type { FrameVersion } from '../../../src/dialects/frames/wire/types.ts'
import { run } from '../../../src/index.ts'
import { casesOf } from '../../support/conformance.ts'
import { runs } from '../../support/runs.ts'
import { expectRules, expectViolationLaw } from '../../support/violation-law.ts'
import { legalLog } from './logs.ts'

type Input = FrameVerifierOptions & { readonly frames: readonly unknown[] }
interface Expected {
  readonly violations: readonly { readonly rule: string; readonly severity: string }[]
}
/** What else violations have, one by one. */
interface More {
  readonly details?: readonly { readonly expected?: unknown; readonly relatedEventIndex?: number }[]
}
const cases = casesOf<Input, Expected, More>('formats/frames-verify')
const legal = cases.filter(({ expected }) => expected.violations.length === 0)
const broken = cases.filter(({ expected }) => expected.violations.length > 0)

function violationsOf(frames: readonly unknown[], options: FrameVerifierOptions) {
  const { push, end } = run(frameVerifier(options))
  return [...frames.flatMap((frame) => [...push(frame as AnyFrame)]), ...end()]
}

const brief = ({
  rule,
  severity,
  seq,
  path,
}: {
  rule: string
  severity: string
  seq?: number
  path?: string
}) => ({
  rule,
  severity,
  ...(seq !== undefined && { seq }),
  ...(path !== undefined && { path }),
})

describe('a background tool', () => {
  const envelope = (seq: number) => ({ id: `k1-${seq}`, session_id: 'k1', timestamp_ms: 1000, seq })
  const rest = { title: null, origin_session_id: null, artifacts: null }
  const spawned = { type: 'tool_task_spawned', tool_name: 'serve', args: {}, cwd: null, ...rest }
  const status = (seq: number, status: string, exit_code: number | null) => ({
    ...envelope(seq),
    type: 'tool_task_status',
    task_id: 'k1',
    ...{ status, exit_code, started_at_ms: null, ended_at_ms: null, artifacts: null, error: null },
  })

  test.each([
    ['canceled', null, '/status'],
    ['cancelled', null, '/status'],
    ['queued', 0, '/exit_code'],
    ['running', 0, '/exit_code'],
  ])('is warned about the status %s with the exit code %s', (value, code, path) => {
    const frames = [
      { ...envelope(0), ...spawned, task_id: 'k1', execution_mode: 'pipes' },
      status(1, value, code),
      ...(code === null ? [] : [status(2, 'exited', code)]),
    ]
    expect(violationsOf(frames, { version: 'v1' }).map(brief)).toEqual([
      { rule: 'task-lifecycle', severity: 'warn', seq: 1, path },
    ])
  })
})

test('a skill may have been loaded in a gap', () => {
  const frame = (seq: number, body: object) => ({
    ...{ id: `s1-${seq}`, session_id: 's1', stream_kind: 'session', stream_id: 's1' },
    ...{ timestamp_ms: 1000, seq },
    ...body,
  })
  const invoked = (seq: number) => frame(seq, { type: 'skill_invoked', name: 'pdf', mode: 'auto' })
  const started = frame(0, { type: 'session_started', input: '' })
  const rulesOf = (frames: readonly object[]) =>
    violationsOf(frames, { version: 'v2', runtimeGenerated: false }).map(({ rule }) => rule)
  expect(rulesOf([started, invoked(1)])).toEqual(['skill-order'])
  expect(rulesOf([started, invoked(2)])).toEqual(['sequence'])
})

describe('frameRules', () => {
  it('has the ids F01 to F21 and unique names', () => {
    expect(frameRules.map(({ id }) => id)).toEqual(
      Array.from({ length: 21 }, (_, i) => `F${String(i + 1).padStart(2, '0')}`),
    )
    expect(frameRules.map(({ rule }) => rule)).toEqual([
      'envelope',
      'sequence',
      'unique-id',
      'safe-integer',
      'time-order',
      'session-lifecycle',
      'task-without-session',
      'tool-lifecycle',
      'tool-timing',
      'provider-events',
      'checkpoint-before-tool',
      'known-checkpoint',
      'task-lifecycle',
      'execution-mode',
      'task-id',
      'artifact-identity',
      'skill-order',
      'stream-alias',
      'version-round-trip',
      'open-world',
      'uuid',
    ])
  })

  it('each have a case that violates them at their severity', () => {
    for (const { rule, severity } of frameRules) {
      const found = broken.flatMap(({ expected }) => expected.violations)
      expect(
        found.some((violation) => violation.rule === rule && violation.severity === severity.strict),
        rule,
      ).toBe(true)
    }
  })
})

const inVersion1 = legal.filter(({ input }) => input.version === 'v1')

test.each(inVersion1)('$name, also in version 2', ({ input }) => {
  expect(
    violationsOf(
      (input.frames as AnyFrame[]).map((frame) => upgradeFrame(frame)),
      { version: 'v2' },
    ),
  ).toEqual([])
})

test.each(cases)('$name', ({ input: { frames, ...options }, expected, details = [] }) => {
  const found = violationsOf(frames, options)
  expect(found.map(brief)).toEqual(expected.violations)
  for (const [i, { expected, relatedEventIndex }] of found.entries())
    expect({ expected, relatedEventIndex }).toEqual(details[i] ?? {})
  // A message describes this violation, not only the rule.
  const summaries = frameRules.map((each) => each.summary)
  for (const { message } of found) {
    expect(message).not.toBe('')
    expect(summaries).not.toContain(message)
  }
})

test.each(broken)('`actual` is the value in the frame: $name', ({ input: { frames, ...options } }) => {
  expectViolationLaw<unknown>((list) => violationsOf(list, options), frames)
})

describe('a violation', () => {
  const session = legal[0]?.input.frames as AnyFrame[]

  it('has the expected and the actual value', () => {
    const [first, last] = session
    expect(violationsOf([first, { ...last, seq: 5 }], { version: 'v1' })).toEqual([
      {
        rule: 'sequence',
        severity: 'error',
        message: 'Expected seq 1, got 5.',
        eventIndex: 1,
        stream: 's1',
        seq: 5,
        path: '/seq',
        expected: 1,
        actual: 5,
      },
    ])
  })

  it('has the position of its frame among all frames, and their number at the end', () => {
    const frame = (session_id: string, seq: number): object => {
      const body = { type: 'output_text_delta', delta: 'x' }
      return { id: `${session_id}${seq}`, session_id, timestamp_ms: 1, seq, ...body }
    }
    const found = violationsOf([null, frame('a', 0), frame('b', 0), frame('a', 0), frame('a', 5)], {
      version: 'v1',
    })
    expect(found.map(({ rule, eventIndex, stream, seq }) => [rule, eventIndex, stream, seq])).toEqual([
      ['envelope', 0, undefined, undefined],
      ['session-lifecycle', 1, 'a', 0],
      ['session-lifecycle', 2, 'b', 0],
      ['unique-id', 3, 'a', 0],
      ['sequence', 4, 'a', 5],
      ['session-lifecycle', 5, 'a', undefined],
      ['session-lifecycle', 5, 'b', undefined],
    ])
  })

  it('names the stream by kind and id in version 2', () => {
    const found = violationsOf([upgradeFrame(session[1] as AnyFrame)], { version: 'v2' })
    expect(found.map(({ stream }) => stream)).toEqual(['session/s1'])
  })

  it('of an invalid frame does not disturb the numbering of its stream', () => {
    const [first, last] = session
    const broken = {
      ...first,
      id: 'x',
      seq: 1,
      timestamp_ms: 1005,
      type: 'output_text_delta',
      input: undefined,
    }
    const found = violationsOf([first, broken, { ...last, seq: 2 }], { version: 'v1' })
    expect(found.map(brief)).toEqual([{ rule: 'envelope', severity: 'error', seq: 1, path: '/delta' }])
    expect(violationsOf([null, 'text', 7], { version: 'v1' }).map(({ rule }) => rule)).toEqual([
      'envelope',
      'envelope',
      'envelope',
    ])
  })

  it('of the session lifecycle needs a session generated by a runtime', () => {
    const frames = [
      { id: 'a', session_id: 's', timestamp_ms: 1, seq: 0, type: 'output_text_delta', delta: 'x' },
      { id: 'b', session_id: 's', timestamp_ms: 1, seq: 1, type: 'output_text_delta', delta: 'y' },
    ]
    expect(violationsOf(frames, { version: 'v1', runtimeGenerated: false })).toEqual([])
    expect(violationsOf(frames, { version: 'v1' })).toHaveLength(2)
  })

  it('of a value without a stream has the actual value too', () => {
    const found = violationsOf([{ id: 7 }], { version: 'v1' })
    expect(found).toContainEqual(expect.objectContaining({ path: '/id', actual: 7 }))
  })

  it('does not follow from missing frames', () => {
    const frames = ((legal[1]?.input.frames ?? []) as AnyFrame[]).filter((_, i) => i === 0 || i > 8)
    expect(violationsOf(frames, { version: 'v1' }).map(({ rule }) => rule)).toEqual(['sequence'])
  })
})

describe('values that are no frames', () => {
  const version = fc.constantFrom<FrameVersion>('v1', 'v2')

  it('are reported as such, one after the other', () => {
    fc.assert(
      fc.property(fc.array(fc.anything(), { maxLength: 5 }), version, (values, version) => {
        const found = violationsOf(values, { version, mode: 'strict' })
        expect(new Set(found.map(({ rule, severity }) => `${severity} ${rule}`))).toEqual(
          new Set(values.map(() => 'error envelope')),
        )
        expect([...new Set(found.map(({ eventIndex }) => eventIndex))]).toEqual([...values.keys()])
      }),
      { numRuns: runs(500) },
    )
  })

  it('are forgotten: they change nothing that is found in the frames around them', () => {
    const log = fc.constantFrom(...cases.map(({ input }) => input))
    const noise = fc.array(fc.tuple(fc.nat(), fc.anything()), { maxLength: 5 })
    fc.assert(
      fc.property(log, noise, (log, noise) => {
        const { frames, ...options } = log
        const marked = frames.map((frame) => ({ frame, isNoise: false }))
        for (const [n, frame] of noise) marked.splice(n % (marked.length + 1), 0, { frame, isNoise: true })
        const found = violationsOf(
          marked.map(({ frame }) => frame),
          options,
        )
        const kept = found.filter(({ eventIndex }) => marked[eventIndex]?.isNoise !== true)
        const withoutPosition = (all: typeof found) =>
          all.map(({ eventIndex, relatedEventIndex, ...rest }) => rest)
        expect(withoutPosition(kept)).toEqual(withoutPosition(violationsOf(frames, options)))
      }),
      { numRuns: runs(500) },
    )
  })
})

test.each(['v1', 'v2'] as const)('reading a value may throw in version %s', (version) => {
  const broken = new Proxy(
    {},
    {
      get() {
        throw new Error('broken')
      },
    },
  )
  expect(violationsOf([broken], { version }).map(brief)).toEqual([{ rule: 'envelope', severity: 'error' }])
})

test('a task may be cancelled with its status alone', () => {
  const body = { id: '', session_id: 'task', timestamp_ms: 0, task_id: 'task' }
  const frames = [
    { type: 'tool_task_spawned', tool_name: 'bash', execution_mode: 'pipes', args: {}, title: null, cwd: '' },
    { type: 'tool_task_cancel_requested', reason: 'x' },
    { type: 'tool_task_status', status: 'cancelled', exit_code: null, started_at_ms: 0, ended_at_ms: 0 },
  ].map((frame, seq) => ({ ...body, id: `${seq}`, seq, ...frame }))
  const rules = (list: object[]) => violationsOf(list, { version: 'v1' }).map(({ rule }) => rule)
  expect(rules(frames)).toEqual([])
  expect(rules(frames.filter((_, i) => i !== 1).map((frame, seq) => ({ ...frame, seq })))).toEqual([
    'task-lifecycle',
  ])
})

test('an unknown version throws', () => {
  expect(() => frameVerifier({ version: 'v0' as 'v1' })).toThrow(TypeError)
})

test('an unknown mode throws', () => {
  expect(() => frameVerifier({ version: 'v1', mode: 'x' as 'strict' })).toThrow(
    new TypeError('"mode" must be "strict", "standard" or "lenient", got "x".'),
  )
})

it('has bounded state, whatever the length of the log', () => {
  const codes: string[] = []
  const verifier = run(frameVerifier({ version: 'v2' }), { onDiagnostic: ({ code }) => codes.push(code) })
  const push = (stream_id: string, seq: number, body: object): void => {
    const id = `${stream_id}-${seq}`
    const frame = { id, stream_kind: 'session', stream_id, timestamp_ms: 1, seq, ...body }
    expect(verifier.push(frame as AnyFrame)).toEqual([])
  }
  push('long', 0, { type: 'session_started', input: '' })
  const sizes: number[] = []
  for (let i = 0; i < 5000; i++) {
    const tool = { tool_id: `t${i}` }
    push('long', 4 * i + 1, { type: 'tool_started', ...tool, name: 'x', args: {} })
    push('long', 4 * i + 2, { type: 'tool_ended', ...tool, exit_code: 0, duration_ms: 0 })
    const checkpoint = { checkpoint_id: `c${i}`, label: '', files: [], auto: false, created_at_ms: 0 }
    push('long', 4 * i + 3, { type: 'checkpoint_created', ...checkpoint })
    const skill = { name: `s${i}`, path: '', digest: '', frontmatter: {} }
    push('long', 4 * i + 4, { type: 'skill_loaded', ...skill })
    if (i % 1000 === 999) sizes.push(JSON.stringify(verifier.state).length)
  }
  expect(Math.max(...sizes)).toBeLessThan(250_000)
  expect(codes).toEqual(['state-evicted', 'state-evicted', 'state-evicted'])
  codes.length = 0
  for (let i = 0; i < 2048; i++) push(`s${i}`, 0, { type: 'session_started', input: '' })
  expect(codes).toEqual(['state-evicted'])
  expect([...boundedValues((verifier.state as unknown as FrameVerifierState).streams)]).toHaveLength(1025)
  // What was evicted is unknown, not wrong.
  push('long', 20_001, { type: 'tool_stdout', tool_id: 't1', chunk: '' })
})

test('frames that are missing or late take no id or seq of another frame', () => {
  const moves = fc.array(fc.record({ from: fc.nat(), to: fc.option(fc.nat()) }), {
    minLength: 1,
    maxLength: 4,
  })
  fc.assert(
    fc.property(legalLog, moves, (log, moves) => {
      const frames = [...log]
      for (const { from, to } of moves) {
        const moved = frames.splice(from % Math.max(1, frames.length), 1)
        if (to !== null) frames.splice(to % (frames.length + 1), 0, ...moved)
      }
      const found = violationsOf(frames, { version: 'v1' }).filter(({ rule }) => rule === 'unique-id')
      expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
    }),
    { numRuns: runs(300) },
  )
})

describe('what was evicted is unknown, not wrong', () => {
  const output = { type: 'tool_stdout', chunk: '' }
  const tool = (i: number) => ({
    type: 'tool_started',
    tool_id: `t${i}`,
    name: 'x',
    args: {},
    timeout_ms: null,
  })
  const files = { label: 'l', files: ['f'], created_at_ms: 0 }
  test.each<[string, (i: number) => object, object, string[]]>([
    [
      'artifacts',
      (i) => ({ type: 'artifact_written', artifact_id: `a${i}`, kind: 'log', bytes: 1, digest: 'sha256:00' }),
      { ...output, tool_id: 't', artifact_refs: ['a0'] },
      ['artifact-identity'],
    ],
    [
      'checkpoints',
      (i) => ({ type: 'checkpoint_created', checkpoint_id: `c${i}`, auto: false, ...files }),
      { type: 'checkpoint_rewound', checkpoint_id: 'c0', label: 'l', files: ['f'] },
      ['known-checkpoint'],
    ],
    [
      'skills',
      (i) => ({ type: 'skill_loaded', name: `s${i}`, path: '', digest: '', frontmatter: {} }),
      { type: 'skill_invoked', name: 's0', mode: 'auto' },
      ['skill-order'],
    ],
    ['tools', tool, { ...output, tool_id: 't0' }, ['tool-lifecycle']],
  ])('of many %s', (_, storedOf, late, rules) => {
    const rulesAfter = (from: number, to: number): string[] => {
      const stored = Array.from({ length: to - from }, (_, i) => storedOf(from + i))
      const frames = [{ type: 'session_started', input: '' }, tool(-1), ...stored, late].map((body, seq) => ({
        ...{ id: `${seq}`, stream_kind: 'session', stream_id: 's', timestamp_ms: 1, seq },
        ...body,
        ...('tool_id' in body && body.tool_id === 't' && { tool_id: 't-1' }),
      }))
      const { push } = run(frameVerifier({ version: 'v2' }))
      return frames.flatMap((frame) => push(frame as AnyFrame)).map(({ rule }) => rule)
    }
    expect(rulesAfter(1, 3)).toEqual(rules)
    expect(rulesAfter(0, 3)).toEqual([])
    expect(rulesAfter(0, 4000)).toEqual([])
  })
})

it('stores no id of more than 1024 characters', () => {
  const long = 'x'.repeat(1025)
  const verifier = run(frameVerifier({ version: 'v1' }))
  const frame = {
    id: 'a',
    session_id: 's',
    timestamp_ms: 1,
    seq: 0,
    type: 'tool_failed',
    tool_id: 't',
    error: '',
  }
  for (const field of ['id', 'session_id', 'tool_id']) {
    const violations = verifier.push({ ...frame, [field]: long })
    expect(violations.map(({ rule, path }) => [rule, path])).toContainEqual(['envelope', `/${field}`])
  }
  expect(JSON.stringify(verifier.state)).not.toContain(long)
})

test('frameRules have unique names and summaries that stand alone', () => expectRules(frameRules))
