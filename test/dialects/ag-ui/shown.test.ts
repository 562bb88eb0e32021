// What a page shows is what the events state, and anything else is reported.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { AgUiEvent } from '../../../src/dialects/ag-ui/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { damaged } from '../../support/damaged-streams.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { pageOf } from './peers.ts'
import { outputsOf, writer } from './support.ts'

// The client logs what it does not expect.
vi.spyOn(console, 'warn').mockImplementation(() => {})
vi.spyOn(console, 'error').mockImplementation(() => {})

const context = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:00:00.000Z' }
const created: ContextAnyEvent = { kind: 'task-created', initiator: 'user', ...context }
const completed: ContextAnyEvent = { kind: 'task-status', status: 'completed', ...context }

/** The codes of the diagnostics of a stream, without those of statuses. */
function codesOf(events: readonly ContextAnyEvent[]): string[] {
  const found = resultsOf(writer(), events).flatMap(({ diagnostics }) => diagnostics)
  return found.map(({ code }) => code).filter((code) => code !== 'dropped:task-status')
}

describe('the arguments of a call', () => {
  const call = { toolCallId: 'k', toolName: 'pay' }
  const delta = '{ "amount": 500 }'

  it('that a user has edited are metadata of its end, and reported', async () => {
    const events: ContextAnyEvent[] = [
      created,
      { kind: 'tool-arguments-delta', ...call, delta, index: 0, ...context },
      { kind: 'tool-start', ...call, arguments: { amount: 5 }, ...context },
      { kind: 'tool-complete', ...call, success: true, result: 1, ...context },
      completed,
    ]
    const { messages, errors } = await pageOf(outputsOf(writer(), events))
    expect(errors).toEqual([])
    expect(messages[0]).toMatchObject({
      toolCalls: [{ id: 'k', function: { arguments: delta }, metadata: { arguments: { amount: 5 } } }],
    })
    expect(codesOf(events)).toEqual(['lossy:arguments'])
  })

  it('that are the same in other words are no metadata', () => {
    const events: ContextAnyEvent[] = [
      created,
      { kind: 'tool-arguments-delta', ...call, delta, index: 0, ...context },
      { kind: 'tool-start', ...call, arguments: { amount: 500 }, ...context },
      { kind: 'tool-complete', ...call, success: true, result: 1, ...context },
      completed,
    ]
    expect(codesOf(events)).toEqual([])
    expect(outputsOf(writer(), events).find(({ type }) => type === 'TOOL_CALL_END')).toEqual({
      type: 'TOOL_CALL_END',
      toolCallId: 'k',
      timestamp: Date.parse(context.timestamp),
    })
  })

  it('are those that ran, or reported', () => {
    const edits = fc.infiniteStream(fc.constantFrom('keep', 'edit'))
    const streams = fc.tuple(legalStreams(), edits).map(([events, edits]) =>
      events.map((event): ContextAnyEvent => {
        const isEdited = event.kind === 'tool-start' && edits.next().value === 'edit'
        return isEdited ? { ...event, arguments: { ...event.arguments, edited: true } } : event
      }),
    )
    fc.assert(
      fc.property(streams, (events) => {
        const results = resultsOf(writer(), events)
        const texts = new Map<string, string>()
        for (const [i, { out, diagnostics }] of results.entries()) {
          for (const each of out) {
            if (each.type !== 'TOOL_CALL_ARGS') continue
            texts.set(each.toolCallId, (texts.get(each.toolCallId) ?? '') + each.delta)
          }
          const event = events[i]
          if (event?.kind !== 'tool-start') continue
          const codes = diagnostics.map(({ code }) => code)
          if (codes.includes('dropped:tool-start')) continue
          const isShown = isSame(texts.get(event.toolCallId), event.arguments)
          expect(codes.includes('lossy:arguments')).toBe(!isShown)
          const end = out.find(({ type }) => type === 'TOOL_CALL_END') as AgUiEvent | undefined
          if (!isShown) expect(end?.metadata?.arguments).toEqual(event.arguments)
        }
      }),
      { numRuns: runs(200) },
    )
  })
})

function isSame(text: string | undefined, value: unknown): boolean {
  try {
    expect(JSON.parse(text ?? '')).toEqual(value)
    return true
  } catch {
    return false
  }
}

describe('a text', () => {
  it.each<
    [why: string, deltas: readonly [string, number][], content: string, shown: string, codes: string[]]
  >([
    [
      'with a repeated delta',
      [
        ['a', 0],
        ['b', 1],
        ['b', 1],
        ['c', 2],
      ],
      'abc',
      'abc',
      ['dropped:content-delta'],
    ],
    [
      'whose last delta is missing',
      [
        ['a', 0],
        ['b', 1],
      ],
      'abc',
      'abc',
      [],
    ],
    [
      'with a gap',
      [
        ['a', 0],
        ['c', 2],
      ],
      'abc',
      'abc',
      ['gap'],
    ],
    ['that is another than its deltas', [['a', 0]], 'XYZ', 'a', ['lossy:content']],
    ['that is empty in the end', [['a', 0]], '', 'a', ['lossy:content']],
  ])('%s is shown whole, or reported', async (_, deltas, content, shown, codes) => {
    const events: ContextAnyEvent[] = [
      created,
      ...deltas.map(([delta, index]) => ({ kind: 'content-delta', delta, index, ...context }) as const),
      { kind: 'content-complete', content, ...context },
      completed,
    ]
    expect(codesOf(events)).toEqual(codes)
    const { messages, errors } = await pageOf(outputsOf(writer(), events))
    expect(errors).toEqual([])
    expect(messages).toMatchObject([{ content: shown }])
  })

  it('is the one that was complete, or reported', async () => {
    const changes = fc.infiniteStream(fc.constantFrom('keep', 'keep', 'keep', 'change'))
    const streams = fc.tuple(
      damaged(legalStreams({ focus: 'texts', subtasks: false, maxChoices: 25 })),
      changes,
    )
    await fc.assert(
      fc.asyncProperty(streams, async ([given, changes]) => {
        const events = given.map((event): ContextAnyEvent => {
          const isWhole = event.kind === 'content-complete' || event.kind === 'thought-stream'
          return isWhole && changes.next().value === 'change' ? { ...event, content: 'changed' } : event
        })
        const results = resultsOf(writer(), events)
        const open = new Map<string, string>()
        for (const [i, { out, diagnostics }] of results.entries()) {
          for (const each of out) {
            if (each.type === 'MESSAGES_SNAPSHOT') {
              open.clear()
              for (const { id, content } of each.messages)
                if (typeof content === 'string') open.set(id, content)
            }
            if (!each.type.endsWith('MESSAGE_CONTENT')) continue
            const { messageId, delta } = each as { messageId: string; delta: string }
            open.set(messageId, (open.get(messageId) ?? '') + delta)
          }
          const event = events[i]
          if (event?.kind !== 'content-complete' && event?.kind !== 'thought-stream') continue
          const end = out.find(({ type }) => type.endsWith('MESSAGE_END')) as
            | { messageId: string }
            | undefined
          if (end === undefined) continue
          const isShown = (open.get(end.messageId) ?? '') === event.content
          open.delete(end.messageId)
          expect(diagnostics.some(({ code }) => code === 'lossy:content')).toBe(!isShown)
        }
      }),
      { numRuns: runs(200) },
    )
  })

  it('is the same if each delta comes twice', () => {
    fc.assert(
      fc.property(legalStreams({ subtasks: false }), (events) => {
        const twice = events.flatMap((event): ContextAnyEvent[] =>
          'delta' in event ? [event, event] : [event],
        )
        expect(outputsOf(writer(), twice)).toEqual(outputsOf(writer(), events))
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('a JSON Merge Patch', () => {
  const merge = (patch: Record<string, unknown>, version: number): ContextAnyEvent => ({
    ...{ kind: 'artifact-delta', artifactId: 'state', baseVersion: version - 1, version, ...context },
    change: { type: 'merge-patch', patch },
  })
  const changes: ContextAnyEvent[] = [
    created,
    { kind: 'data-write', artifactId: 'state', data: { a: 1, 'b/c': 2 }, version: 1, ...context },
    merge({ list: [], a: null, gone: null, 'b/c': [null] }, 2),
  ]
  const add: ContextAnyEvent = {
    ...{ kind: 'artifact-delta', artifactId: 'state', baseVersion: 2, version: 3, ...context },
    change: { type: 'json-patch', patch: [{ op: 'add', path: '/list/-', value: 'x' }] },
  }

  it('is written as a JSON Patch, and others can follow', async () => {
    const events = [...changes, add, completed]
    expect((await pageOf(outputsOf(writer(), events))).state).toEqual({ list: ['x'], 'b/c': [null] })
    expect(codesOf(events).filter((code) => code.startsWith('dropped:'))).toEqual([])
  })

  it('that merges objects is reported, and those that follow until the next whole', () => {
    const codes = codesOf([...changes, merge({ a: { b: 1 } }, 3), merge({ a: 1 }, 4)])
    expect(codes.filter((code) => code.startsWith('dropped:'))).toEqual(
      Array(2).fill('dropped:artifact-delta'),
    )
  })
})
