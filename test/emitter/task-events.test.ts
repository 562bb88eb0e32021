// The events of a whole task: it ends once, however its drafts end.

import fc from 'fast-check'
import { type ContextAnyEvent, type EventDraft, isTerminalStatus, run, taskEvents } from 'turnstream'
import { verifier } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { runs } from '../support/runs.ts'

const context = { contextId: 'ctx-1', taskId: 'task-1' }
const text = (delta: string): EventDraft => ({ kind: 'content-delta', delta })
const completed: EventDraft = { kind: 'task-status', status: 'completed' }

/** How drafts end. */
type End = 'returns' | 'throws' | 'hangs until it is aborted'

function source(drafts: readonly EventDraft[], end: End, seen: AbortSignal[] = []) {
  return async function* (signal: AbortSignal): AsyncGenerator<EventDraft> {
    seen.push(signal)
    yield* drafts
    if (end === 'throws') throw new Error('secret')
    if (end === 'hangs until it is aborted')
      await new Promise((_, reject) => signal.addEventListener('abort', reject))
  }
}

async function all(events: AsyncIterable<ContextAnyEvent>): Promise<ContextAnyEvent[]> {
  const read: ContextAnyEvent[] = []
  for await (const event of events) read.push(event)
  return read
}

const shown = (events: readonly ContextAnyEvent[]): string[] =>
  events.map((event) => (event.kind === 'task-status' ? event.status : event.kind))

describe('taskEvents', () => {
  const drafts = [text('Hi'), { kind: 'content-complete', content: 'Hi' } as const]

  it('completes a task whose drafts end', async () => {
    const events = await all(
      taskEvents(source(drafts, 'returns'), { ...context, input: 'Hello', onError: () => {} }),
    )
    expect(shown(events)).toEqual([
      'task-created',
      'working',
      'content-delta',
      'content-complete',
      'completed',
      'task-complete',
    ])
    expect(events[0]).toMatchObject({ initiator: 'user', metadata: { input: 'Hello' } })
  })

  it.each<End>(['returns', 'throws'])(
    'adds the status to a result that comes alone, if it then %s',
    async (end) => {
      const withResult = source([...drafts, { kind: 'task-complete' }], end)
      const events = await all(taskEvents(withResult, { ...context, onError: () => {} }))
      expect(shown(events).slice(-2)).toEqual(['task-complete', 'completed'])
    },
  )

  it('fails a task whose drafts throw, without details unless onError returns them', async () => {
    const errors: unknown[] = []
    const failing = (info?: { code: string; message: string; retry: 'terminal' }) =>
      taskEvents(source(drafts, 'throws'), {
        ...context,
        onError(error) {
          errors.push(error)
          return info
        },
      })
    const events = await all(failing())
    expect(errors).toEqual([new Error('secret')])
    expect(events.at(-1)).toMatchObject({ status: 'failed', error: { code: 'internal', retry: 'retryable' } })
    expect(JSON.stringify(events)).not.toContain('secret')
    const info = { code: 'overloaded', message: 'Try later.', retry: 'terminal' } as const
    expect((await all(failing(info))).at(-1)).toMatchObject({ status: 'failed', error: info })
  })

  const errorDraft = (retry: 'terminal' | 'retryable', scope: 'tool' | 'task' = 'task'): EventDraft => ({
    kind: 'task-error',
    error: { code: 'overloaded', message: 'Try later.', retry, scope },
  })

  it.each<[string, EventDraft[], string]>([
    ['an error', [errorDraft('retryable')], 'failed'],
    ['an error, and another try', [errorDraft('retryable'), ...drafts], 'task-complete'],
    ['a terminal error', [errorDraft('terminal'), ...drafts], 'failed'],
    ['an error of a tool', [errorDraft('terminal', 'tool'), ...drafts], 'task-complete'],
  ])('ends after %s', async (_drafts, body, last) => {
    const events = await all(
      taskEvents(source(body, 'returns'), { ...context, onError: () => expect.unreachable() }),
    )
    expect(shown(events).at(-1)).toBe(last)
    if (last === 'failed') expect(events.at(-1)).toMatchObject({ error: { code: 'overloaded' } })
    const { push, end } = run(verifier({ mode: 'strict' }))
    const violations = [...events.flatMap((event) => [...push(event)]), ...end()]
    expect(violations.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  it('fails a task with an invalid draft', async () => {
    const errors: unknown[] = []
    const invalid = { kind: 'content-delta', delta: 5 } as unknown as EventDraft
    const events = await all(
      taskEvents(() => [invalid], { ...context, onError: (error) => void errors.push(error) }),
    )
    expect(shown(events)).toEqual(['task-created', 'working', 'failed'])
    expect(errors).toMatchObject([{ message: expect.stringContaining('/delta') }])
  })

  it('cancels a task whose signal is aborted, while it waits and before it begins', async () => {
    const controller = new AbortController()
    const seen: AbortSignal[] = []
    const { signal } = controller
    const options = { ...context, signal, onError: () => expect.unreachable() }
    const events = taskEvents(source(drafts, 'hangs until it is aborted', seen), options)
    const read: ContextAnyEvent[] = []
    for await (const event of events) {
      read.push(event)
      if (event.kind === 'content-complete') setTimeout(() => controller.abort())
    }
    expect(shown(read).slice(-1)).toEqual(['canceled'])
    expect(seen.map(({ aborted }) => aborted)).toEqual([true])
    expect(shown(await all(taskEvents(() => expect.unreachable(), options)))).toEqual([
      'task-created',
      'working',
      'canceled',
    ])
  })

  it('stops drafts that hang when the reader leaves', async () => {
    const seen: AbortSignal[] = []
    const events = taskEvents(source([], 'hangs until it is aborted', seen), {
      ...context,
      onError: () => expect.unreachable(),
    })
    await events.next()
    await events.next()
    const waiting = events.next()
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve))
    expect(await events.return()).toEqual({ done: true, value: undefined })
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(seen[0]?.aborted).toBe(true)
  })

  it('ends every task once, and every stream is legal', async () => {
    const bodies = fc.subarray<EventDraft>([
      text('Hi'),
      { kind: 'content-complete', content: 'Hi' },
      completed,
      { kind: 'task-complete' },
    ])
    const ends = fc.constantFrom<End>('returns', 'throws', 'hangs until it is aborted')
    await fc.assert(
      fc.asyncProperty(bodies, ends, async (body, end) => {
        const controller = new AbortController()
        const { signal } = controller
        const seen: AbortSignal[] = []
        const generator = taskEvents(source(body, end, seen), { ...context, signal, onError: () => {} })
        const events: ContextAnyEvent[] = []
        for await (const event of generator) {
          events.push(event)
          if (end.startsWith('hangs') && events.length === body.length + 2)
            setTimeout(() => controller.abort())
        }
        const terminal = events.filter(
          (event) => event.kind === 'task-status' && isTerminalStatus(event.status),
        )
        const complete = events.filter(({ kind }) => kind === 'task-complete')
        expect([terminal.length, complete.length]).toSatisfy(
          ([a = 0, b = 0]) => a <= 1 && b <= 1 && a + b > 0,
        )
        expect(seen.every(({ aborted }) => aborted)).toBe(true)
        const { push, end: finish } = run(verifier({ mode: 'strict' }))
        const violations = [...events.flatMap((event) => [...push(event)]), ...finish()]
        const isWhole = (rule: string): boolean =>
          !['segment-open-at-success', 'whole-repeats-deltas'].includes(rule)
        expect(violations.filter(({ rule, severity }) => severity === 'error' && isWhole(rule))).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })
})
