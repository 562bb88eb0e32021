// Tests the verifier: each rule by a stream that breaks only it, legal streams as a whole and joined late.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ContextAnyEvent, run, type UnknownEvent } from '../../../src/index.ts'
import { eventRules, type VerifyMode, type Violation, verifier } from '../../../src/streams/index.ts'
import type { VerifierOptions } from '../../../src/streams/verify/verifier.ts'
import { casesOf } from '../../support/conformance.ts'
import { expectMachineLaw } from '../../support/law.ts'
import { runs } from '../../support/runs.ts'
import { expectViolationLaw } from '../../support/violation-law.ts'
import { context, created, ended, piece, status } from './cases.ts'
import {
  deltaStreams,
  errorsIn,
  expectPlainMessages,
  loneResults,
  rulesOf,
  soundStreams,
  strayStreams,
  verify,
} from './support.ts'
import { expectKnownShapes } from './violation-shapes.ts'

const page = readFileSync(new URL('../../../docs/reference/rules.md', import.meta.url), 'utf8')

/** The input of a case: a stream, and the options of the verifier besides its mode. */
type Input = Omit<VerifierOptions, 'mode'> & { readonly events: (ContextAnyEvent | UnknownEvent)[] }

/** The violations in each mode, without what is for people. */
type Expected = Readonly<Record<VerifyMode, readonly Violation[]>>

/** What the violations in strict mode have besides. */
interface Details {
  readonly details: readonly Partial<Violation>[]
}

const cases = casesOf<Input, Expected, Details>('verify/rules')
const caseOf = (rule: string) =>
  cases.find(({ name }) => name === rule) ?? expect.fail(`conformance/verify/rules.jsonl lacks ${rule}.`)

const modes: readonly VerifyMode[] = ['strict', 'standard', 'lenient']
const checked = eventRules.filter(({ checkedBy }) => checkedBy !== 'none')

describe('rules', () => {
  it('that no verifier can check are off', () => {
    for (const { severity, checkedBy } of eventRules) {
      if (checkedBy === 'none') expect(severity.strict).toBe('off')
    }
  })

  it('are in the order of their ids, and those of one id in the order of the page', () => {
    const ids = eventRules.map(({ id }) => id)
    expect(ids).toEqual([...ids].sort())
    const rows = [...page.matchAll(/^\| K\d+ \| `([^`]+)` \|/gm)].map(([, rule]) => rule)
    expect(eventRules.map(({ rule }) => rule)).toEqual(rows)
  })

  it.each(eventRules)('$rule is documented by its summary', ({ id, rule, summary }) => {
    expect(summary).toMatch(/^\S.{20,}\.$/)
    const row = page.split('\n').find((line) => line.startsWith(`| ${id} | \`${rule}\` |`))
    // The page leaves out further sentences.
    expect(row).toContain(summary.split(/\.? [A-Z]|\.$/)[0])
  })

  it.each(checked)('$rule is the only rule its case breaks', ({ rule, severity }) => {
    const {
      input: { events, ...options },
      expected,
      details,
    } = caseOf(rule)
    const found = verify(events, { mode: 'strict', ...options })
    expect(found.map((violation) => violation.rule)).toEqual([rule])
    expect(found.map(({ contextId: _context, taskId: _task, ...violation }) => violation)).toEqual(
      expected.strict.map((violation, i) => ({ ...violation, ...details[i] })),
    )
    for (const mode of modes) {
      const severities = expected[mode].filter((violation) => violation.rule === rule)
      expect(severities.map((violation) => violation.severity)).toEqual(
        severity[mode] === 'off' ? [] : [severity[mode]],
      )
    }
  })

  it.each(checked)('$rule is reported even if the state is stored as JSON between events', ({ rule }) => {
    const { events, ...options } = caseOf(rule).input
    const machine = verifier({ mode: 'strict', ...options })
    let state = machine.initial
    const found: Violation[] = []
    for (const event of events) {
      const step = machine.step(JSON.parse(JSON.stringify(state)) as typeof state, event)
      found.push(...step.out)
      state = step.state
    }
    found.push(...machine.end(JSON.parse(JSON.stringify(state)) as typeof state).out)
    expect(found).toEqual(verify(events, { mode: 'strict', ...options }))
  })
})

describe('legal streams', () => {
  it('break no rule, but that a result has a status', () => {
    fc.assert(
      fc.property(soundStreams({ maxChoices: 80 }), (events) => {
        expect(verify(events)).toMatchObject(loneResults(events))
        expect(errorsIn(events)).toEqual([])
        expect(verify(events, { mode: 'lenient' })).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  it('break no other rule when joined late', () => {
    fc.assert(
      fc.property(soundStreams({ maxChoices: 80 }), fc.nat(), (events, n) => {
        const startIndex = 1 + (n % events.length)
        const rest = events.slice(startIndex)
        expect(verify(rest, { startIndex })).toMatchObject(loneResults(rest))
        expect(errorsIn(events.slice(startIndex), { mode: 'strict', startIndex })).toEqual([])
      }),
      { numRuns: runs(500) },
    )
  })

  it('break a rule after the loss of an event that later ones need', () => {
    const needed = ['task-created', 'content-delta', 'tool-start', 'input-required', 'auth-required']
    fc.assert(
      fc.property(soundStreams({ maxChoices: 60, subtasks: false }), fc.nat(), (events, n) => {
        const at = n % events.length
        const lost = events[at]
        const isNeeded =
          lost !== undefined && needed.includes(lost.kind) && isReferredTo(events.slice(at + 1), lost)
        fc.pre(isNeeded)
        expect(errorsIn(events.toSpliced(at, 1))).not.toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })
})

/** Whether a later event needs the lost one. */
function isReferredTo(later: readonly ContextAnyEvent[], lost: ContextAnyEvent): boolean {
  switch (lost.kind) {
    case 'task-created':
      return later.length > 0
    case 'content-delta': {
      const next = later.find(
        (event) =>
          (event.kind === 'content-delta' || event.kind === 'content-complete') &&
          event.contentId === lost.contentId,
      )
      return next?.kind === 'content-delta' && next.index > lost.index
    }
    case 'tool-start':
      return later.some(
        (event) => event.kind === 'tool-complete' && event.toolCallId === lost.toolCallId && event.success,
      )
    case 'input-required':
      return later.some((event) => 'inputId' in event && event.inputId === lost.inputId)
    default:
      return later.some((event) => 'authId' in event && 'authId' in lost && event.authId === lost.authId)
  }
}

describe('violations', () => {
  it('point to a field with any name', () => {
    const [found] = verify([{ ...created, 'a/b~c': 1 } as unknown as ContextAnyEvent], { mode: 'strict' })
    expect(found).toMatchObject({ rule: 'unknown-field', path: '/a~1b~0c' })
  })

  it('point to the arguments that differ from their deltas', () => {
    const call = { ...context, toolCallId: 'c', toolName: 't' }
    const events = [
      created,
      { ...call, kind: 'tool-arguments-delta', delta: '{"a":1}', index: 0 },
      { ...call, kind: 'tool-start', arguments: {} },
      status('failed'),
    ] as ContextAnyEvent[]
    expect(verify(events)).toMatchObject([{ rule: 'whole-repeats-deltas', path: '/arguments' }])
  })

  it('report a task that completes before a subtask that was only created', () => {
    const subtask = { ...created, taskId: 'sub', parentTaskId: 'task', initiator: 'agent' } as ContextAnyEvent
    const rules = rulesOf(verify([created, subtask, status('completed')], { mode: 'strict' }))
    expect(rules).toEqual(['subtask-pair', 'children-end-first', 'task-ends'])
  })

  it('report each unknown kind and field once, and at most 256 of them', () => {
    const odd = (kind: string) => ({ ...context, kind }) as UnknownEvent
    const noted = { ...status('working'), note: 1 } as unknown as ContextAnyEvent
    const events = [created, odd('a'), odd('b'), noted, odd('a'), odd('b'), noted, status('completed')]
    expect(rulesOf(verify(events, { mode: 'strict' }))).toEqual([
      'unknown-kind',
      'unknown-kind',
      'unknown-field',
    ])
    const many = Array.from({ length: 300 }, (_, n) => odd(`kind-${n}`))
    expect(verify(many).map(({ eventIndex }) => eventIndex)).toEqual([...many.keys()].slice(0, 256))
  })

  it.each<[reason: RegExp, object]>([
    [/^toolCallId "ended" is no longer open\.$/, { toolCallId: 'ended' }],
    [/^toolCallId "written" has not started\.$/, { toolCallId: 'written' }],
    [/^toolCallId "other" belongs to task "b"\.$/, { toolCallId: 'other' }],
    [/^Unknown toolCallId "none"\.$/, { toolCallId: 'none' }],
    [/^inputId "ended" is no longer open\.$/, { inputId: 'ended' }],
    [/^inputId "other" belongs to task "b"\.$/, { inputId: 'other' }],
    [/^Unknown inputId "none"\.$/, { inputId: 'none' }],
  ])('state why an event belongs to nothing that is open: %s', (reason, ids) => {
    const call = { kind: 'tool-start', toolName: 't', arguments: {} }
    const input = { kind: 'input-required', inputType: 'custom', prompt: '' }
    const last =
      'inputId' in ids
        ? { kind: 'input-canceled', reason: 'expired' }
        : { kind: 'tool-progress', progress: 0 }
    const events = [
      created,
      { ...created, taskId: 'b' },
      { ...call, toolCallId: 'ended' },
      ended('ended'),
      piece('written', '{', 0),
      { ...call, toolCallId: 'other', taskId: 'b' },
      { ...input, inputId: 'ended' },
      { kind: 'input-canceled', inputId: 'ended', reason: 'expired' },
      { ...input, inputId: 'other', taskId: 'b' },
      { ...last, ...ids },
    ].map((event) => ({ ...context, ...event })) as ContextAnyEvent[]
    const found = verify(events).filter(({ rule }) => rule.endsWith('-open'))
    expect(found).toMatchObject([{ eventIndex: 9, message: expect.stringMatching(reason) }])
  })

  it('report an event whose getter throws as invalid', () => {
    const event = {
      kind: 'odd',
      get contextId(): string {
        throw new Error('no')
      },
    }
    expect(rulesOf(verify([event as UnknownEvent]))).toEqual(['well-formed'])
  })

  it('name a subtask that is announced twice', () => {
    const announced = { ...context, kind: 'subtask-created', subtaskId: 'sub', prompt: '' } as ContextAnyEvent
    const found = verify([created, announced, announced]).filter(({ rule }) => rule === 'subtask-parent')
    expect(found).toMatchObject([{ eventIndex: 2, path: '/subtaskId', actual: 'sub' }])
  })

  it('report tasks nested deeper than 16', () => {
    const events = Array.from({ length: 18 }, (_, n) => ({
      ...created,
      taskId: `t${n}`,
      initiator: 'agent',
      ...(n > 0 && { parentTaskId: `t${n - 1}` }),
    })) as ContextAnyEvent[]
    const found = verify(events).filter(({ rule }) => rule === 'known-parent')
    expect(found).toMatchObject([{ eventIndex: 17, expected: 16, actual: 17 }])
  })

  it('count positions from startIndex', () => {
    const [first] = verify([status('completed'), status('working')], { startIndex: 7 })
    expect(first).toMatchObject({
      rule: 'nothing-after-end',
      eventIndex: 8,
      contextId: 'ctx',
      taskId: 'task',
    })
  })

  it('have a message with the expected and actual values, and point to the field they are about', () => {
    const odd = fc.constantFrom<object>({ kind: 'odd' }, { kind: 'content-delta', index: 'x' }, { kind: 5 })
    const stream = fc
      .tuple(fc.oneof(strayStreams, deltaStreams), fc.array(fc.tuple(fc.nat(), odd), { maxLength: 3 }))
      .map(([events, extras]) =>
        extras.reduce<readonly ContextAnyEvent[]>(
          (list, [n, extra]) =>
            list.toSpliced(n % (list.length + 1), 0, { ...context, ...extra } as ContextAnyEvent),
          events,
        ),
      )
    fc.assert(
      fc.property(stream, fc.boolean(), fc.nat(3), (events, external, startIndex) => {
        const violations = verify(events, { mode: 'strict', external, startIndex })
        expectPlainMessages(violations)
        expectKnownShapes(violations)
      }),
      { numRuns: runs(300) },
    )
  })

  it('have the value of the event as `actual`, and are gone once it is `expected`', () => {
    fc.assert(
      fc.property(fc.oneof(strayStreams, deltaStreams), fc.boolean(), (events, external) => {
        expectViolationLaw((list) => verify(list, { mode: 'strict', external }), events)
      }),
      { numRuns: runs(100) },
    )
  })

  it.each(checked)('of $rule have the value of the event as `actual`', ({ rule }) => {
    const { events, ...options } = caseOf(rule).input
    expectViolationLaw((list) => verify(list, { mode: 'strict', ...options }), events)
  })

  it.each(checked)(
    'of $rule have a message with the expected and actual values, and point to the field they are about',
    ({ rule }) => {
      const { events, ...options } = caseOf(rule).input
      const violations = verify(events, { mode: 'strict', ...options })
      expectPlainMessages(violations)
      expectKnownShapes(violations)
    },
  )
})

describe('options', () => {
  it.each([
    [{ startIndex: -1 }, '"startIndex" must be an integer >= 0, got -1.'],
    [{ startIndex: 1.5 }, '"startIndex" must be an integer >= 0, got 1.5.'],
    [{ external: 1 }, '"external" must be true or false, got 1.'],
    [{ mode: 'strct' }, '"mode" must be "strict", "standard" or "lenient", got "strct".'],
  ])('%j is refused', (options, message) => {
    expect(() => verifier(options as VerifierOptions)).toThrow(new TypeError(message))
  })
})

describe('state', () => {
  const many = 10_000
  const tasks = Array.from({ length: many }, (_, n) => [
    { ...created, taskId: `t${n}` },
    { ...status('completed'), taskId: `t${n}` },
  ]).flat() as ContextAnyEvent[]

  it('is bounded; after an eviction, which is reported, unknown ids are not violations', () => {
    const diagnostics: string[] = []
    const { push, end } = run(verifier({ mode: 'strict' }), {
      onDiagnostic: ({ code }) => diagnostics.push(code),
    })
    for (const event of tasks) expect(push(event)).toEqual([])
    expect(diagnostics).toEqual(['state-evicted'])
    expect(push({ ...status('working'), taskId: 't0' })).toEqual([])
    expect(push({ ...status('working'), taskId: `t${many - 1}` })).toMatchObject([
      { rule: 'nothing-after-end' },
    ])
    expect(rulesOf(end())).toEqual(['task-ends'])
  })

  it('does not grow with the length of texts or the number of unknown kinds', () => {
    const size = (events: object[]): number => {
      const runner = run(verifier({ mode: 'strict' }))
      for (const event of events) runner.push({ ...context, ...event } as ContextAnyEvent)
      return JSON.stringify(runner.state).length
    }
    const deltas = (n: number) =>
      Array.from({ length: n }, (_, index) => ({ kind: 'content-delta', delta: 'word '.repeat(100), index }))
    expect(size([created, ...deltas(2000)])).toBeLessThan(size([created, ...deltas(20)]) + 40)
    const kinds = (n: number) => Array.from({ length: n }, (_, i) => ({ kind: `kind-${i}` }))
    expect(size(kinds(3000))).toBeLessThan(12_000)
    const args = Array.from({ length: 200 }, (_, index) => ({
      kind: 'tool-arguments-delta',
      toolCallId: 'c',
      toolName: 't',
      delta: 'x'.repeat(1000),
      index,
    }))
    expect(size([created, ...args])).toBeLessThan(70_000)
  })
})

describe('machine law', () => {
  const event = strayStreams
    .filter((events) => events.length > 0)
    .chain((events) => fc.constantFrom(...events))
  const broken = fc
    .constantFrom({ kind: 'odd' }, { kind: 'content-delta' }, null)
    .map((value) => value as UnknownEvent)
  it.each([{ mode: 'strict' }, { mode: 'lenient', startIndex: 3 }, { external: true }] as const)(
    'verifier(%j)',
    (options) =>
      expectMachineLaw(verifier(options), fc.oneof({ weight: 9, arbitrary: event }, broken), { runs: 100 }),
  )
})
