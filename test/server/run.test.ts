// Proves that a task ends, legally and once, however its agent does: by itself, by an error, or because it is canceled.

import fc from 'fast-check'
import {
  type ContextAnyEvent,
  createEmitter,
  type EventDraft,
  isTaskEnd,
  isTerminalStatus,
  run,
} from 'turnstream'
import { createCommand, type Sender } from 'turnstream/commands'
import { emptyView, foldEvents, verifier } from 'turnstream/streams'
import { describe, expect, it, vi } from 'vitest'
import { runs } from '../support/runs.ts'
import { openOver, plainLog, Stored } from './shared-log.ts'

const user: Sender = { role: 'user', id: 'user-1' }
const task = { contextId: 'ctx-1', taskId: 'task-1' }
type Agent = (signal: AbortSignal) => AsyncGenerator<EventDraft | ContextAnyEvent>

async function server(stored = new Stored()) {
  const log = stored.events
  const ledger = await openOver(plainLog(stored))
  const start = (agent: Agent): Promise<void> => ledger.run(task, agent)
  const cancel = () => ledger.submit(createCommand({ kind: 'task.cancel', taskId: 'task-1' }), user)
  return { log, ledger, start, cancel, stored }
}

/** What an emitter is called with: the stream completes it. */
const emit = (draft: EventDraft): EventDraft => draft
/** The beginning of a task that was not run. */
const begin = (): ContextAnyEvent => createEmitter(task).emit({ kind: 'task-created', initiator: 'user' })
const toolCall = { id: 'c', function: { name: 'book', arguments: '{}' } }
const askAbout = (inputId: string, provider?: string): EventDraft => {
  const metadata = { toolCall, ...(provider !== undefined && { provider }) }
  return emit({ kind: 'input-required', inputId, inputType: 'tool-execution', prompt: '?', metadata })
}
const waiting = (): EventDraft => emit({ kind: 'task-status', status: 'waiting-input' })
const delta = (text: string): EventDraft => emit({ kind: 'content-delta', delta: text })

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await Promise.resolve()
}

function expectLegalEnd(log: readonly ContextAnyEvent[], status?: string): void {
  const { push, end } = run(verifier({ mode: 'strict' }))
  const violations = [...log.flatMap((event) => [...push(event)]), ...end()]
  expect(violations.filter(({ severity }) => severity === 'error')).toEqual([])
  const [view] = foldEvents(emptyView, log).tasks
  expect(isTerminalStatus(view?.status ?? null)).toBe(true)
  if (status !== undefined) expect(view?.status).toBe(status)
}

describe('Stream.run', () => {
  it('withdraws an open request once when the task is canceled', async () => {
    const { log, ledger, start, cancel } = await server()
    const done = start(async function* () {
      yield askAbout('i')
      yield waiting()
      await ledger.answer({ inputId: 'i' })
      yield emit({ kind: 'task-status', status: 'completed' })
    })
    await new Promise(setImmediate)
    await cancel()
    await done
    expect(log.filter(({ kind }) => kind === 'input-canceled')).toHaveLength(1)
    expectLegalEnd(log, 'canceled')
  })

  it.each<[what: string, wait: (signal: AbortSignal) => Promise<void>]>([
    [
      'throws the reason of the signal',
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    ],
    ['returns', (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve()))],
    ['goes on', async () => new Promise(setImmediate)],
    ['never returns', () => new Promise(() => {})],
  ])('ends a canceled task whose agent %s, and keeps what it wrote', async (_, wait) => {
    const { log, start, cancel } = await server()
    const done = start(async function* (signal) {
      yield delta('The first half')
      await wait(signal)
      yield delta(' and the other.')
      yield emit({ kind: 'task-status', status: 'completed' })
    })
    for (let n = 0; n < 1000 && log.length < 3; n++) await turns(1)
    await cancel()
    await done
    expectLegalEnd(log, 'canceled')
    expect(foldEvents(emptyView, log).tasks[0]?.parts).toMatchObject([{ text: 'The first half' }])
  })

  it('rejects with the error of the agent, once the task has failed without naming it', async () => {
    const { log, start } = await server()
    const done = start(async function* () {
      yield delta('So')
      throw new Error('key sk-123 is invalid')
    })
    await expect(done).rejects.toThrow('sk-123')
    expectLegalEnd(log, 'failed')
    expect(JSON.stringify(log)).not.toContain('sk-123')
  })

  it('completes a task when its drafts end, also one that began before, with no second beginning', async () => {
    const { log, ledger, start } = await server()
    await ledger.append(begin())
    await start(async function* () {})
    expectLegalEnd(log, 'completed')
    expect(log.filter(({ kind }) => kind === 'task-created')).toHaveLength(1)
    const other = await server()
    await other.start(async function* () {
      yield delta('Hi')
      yield emit({ kind: 'content-complete', content: 'Hi' })
    })
    expectLegalEnd(other.log, 'completed')
  })

  it.each([undefined, 7, Promise.resolve()])('fails a task whose agent returns %s', async (drafts) => {
    const { log, ledger } = await server()
    await expect(ledger.run(task, () => drafts as never)).rejects.toThrow(TypeError)
    expectLegalEnd(log, 'failed')
  })

  it.each([null, { kind: 'content-delta' }, 'x'])('fails a task whose agent yields %j', async (value) => {
    const { log, start } = await server()
    const done = start(async function* () {
      yield value as never
    })
    await expect(done).rejects.toThrow(TypeError)
    expect(log.map(({ kind }) => kind)).toEqual(['task-created', 'task-status', 'task-status'])
  })

  it('rejects if the events cannot be appended, and tries the end of a task that has begun for 25 seconds', async () => {
    vi.useFakeTimers()
    try {
      const { start, ledger, stored } = await server()
      const fail = (): never => {
        throw new Error('disk full')
      }
      stored.onAppend = fail
      const agent: Agent = async function* () {
        yield delta('Hi')
      }
      await expect(start(agent)).rejects.toThrow('disk full')
      stored.onAppend = () => {}
      await ledger.append(begin())
      stored.onAppend = fail
      const began = Date.now()
      let endedAt = 0
      const failing = expect(start(agent))
        .rejects.toThrow('disk full')
        .then(() => {
          endedAt = Date.now()
        })
      await vi.advanceTimersByTimeAsync(30_000)
      await failing
      expect(endedAt - began).toBe(25_500)
    } finally {
      vi.useRealTimers()
    }
  })

  const outcomes = [
    ...[() => delta('a'), () => delta('b'), () => emit({ kind: 'content-complete', content: 'ab' })],
    () => emit({ kind: 'tool-start', toolCallId: 'c', toolName: 'book', arguments: {} }),
    () => emit({ kind: 'tool-complete', toolCallId: 'c', toolName: 'book', success: true }),
    () => emit({ kind: 'task-status', status: 'completed' }),
  ]

  it.each([-2, -1, ...outcomes.keys()].flatMap((n) => [1, 3].map((times) => [n, times])))(
    'ends a task legally if the event of draft %i cannot be appended %i times',
    async (nth, times) => {
      vi.useFakeTimers()
      try {
        const { start, stored } = await server()
        let [count, fails] = [-2, times]
        stored.onAppend = () => {
          if (count++ >= nth && fails-- > 0) throw new Error('disk full')
        }
        const done = start(async function* () {
          for (const outcome of outcomes) yield outcome()
        })
        const isLast = nth === outcomes.length - 1
        const expected = isLast ? done : expect(done).rejects.toThrow('disk full')
        await vi.advanceTimersByTimeAsync(30_000)
        await expected
        // A task whose first event is not in the stream has not begun.
        if (nth === -2) expect(stored.events).toEqual([])
        else expectLegalEnd(stored.events, isLast ? 'completed' : 'failed')
      } finally {
        vi.useRealTimers()
      }
    },
  )

  it('does not end a task twice whose end seemed to fail', async () => {
    vi.useFakeTimers()
    try {
      const stored = new Stored()
      const log = plainLog(stored)
      const append = async (event: ContextAnyEvent) => {
        const position = await log.append(event)
        if (isTaskEnd(event)) throw new Error('reply lost')
        return position
      }
      const stream = await openOver({ ...log, append })
      const done = stream.run(task, async function* () {
        yield emit({ kind: 'task-status', status: 'completed' })
      })
      await vi.advanceTimersByTimeAsync(30_000)
      await done
      expect(stored.events).toHaveLength(3)
      expectLegalEnd(stored.events, 'completed')
    } finally {
      vi.useRealTimers()
    }
  })

  const completed = (): EventDraft => emit({ kind: 'task-status', status: 'completed' })
  const failed = (): EventDraft => emit({ kind: 'task-status', status: 'failed' })
  const result = (): EventDraft => emit({ kind: 'task-complete' })

  it.each<[what: string, after: (() => EventDraft)[], kept: number]>([
    ['another end after the status completed', [completed, failed], 1],
    ['the same end again', [completed, completed], 1],
    ['an end after the status failed', [failed, completed], 1],
    ['a result after the status failed', [failed, result], 1],
    ['text after the end', [completed, () => delta('late')], 1],
    ['anything but the status after the result', [result, failed], 2],
    ['the status after the result again', [result, completed, completed], 2],
    ['a second result', [completed, result, result], 2],
    ['a result after text that is late', [completed, () => delta('late'), result], 1],
  ])('appends nothing that follows the end of a task, such as %s', async (_, after, kept) => {
    const { log, start } = await server()
    let isStopped = false
    await start(async function* () {
      try {
        for (const event of after) yield event()
        await new Promise(() => {})
      } finally {
        isStopped = true
      }
    })
    expect(log.slice(2)).toHaveLength(kept)
    await turns(5)
    expect(isStopped).toBe(true)
    expectLegalEnd(log)
  })

  it.each([
    ['hangs', () => new Promise(() => {})],
    ['throws', () => Promise.reject(new Error('late'))],
    ['yields what is no event', () => Promise.resolve(5)],
  ])('resolves at the end of a task whose agent then %s', async (_, after) => {
    vi.useFakeTimers()
    try {
      const { log, start } = await server()
      const done = start(async function* () {
        yield completed()
        yield (await after()) as never
      })
      await vi.advanceTimersByTimeAsync(1000)
      await done
      expect(log).toHaveLength(3)
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([
    ['returns', () => []],
    ['yields its status', () => [completed()]],
    ['yields something else', () => [delta('late')]],
    ['throws', () => Promise.reject(new Error('late'))],
    ['hangs', () => new Promise<never>(() => {})],
  ])('adds the status to a result that comes alone, if the agent then %s', async (_, after) => {
    vi.useFakeTimers()
    try {
      const { log, start } = await server()
      const done = start(async function* () {
        yield result()
        yield* await after()
      })
      await vi.advanceTimersByTimeAsync(1000)
      await done
      expect(log.slice(2)).toMatchObject([
        { kind: 'task-complete' },
        { kind: 'task-status', status: 'completed' },
      ])
      expectLegalEnd(log, 'completed')
    } finally {
      vi.useRealTimers()
    }
  })

  it('goes on after the end of a subtask', async () => {
    const { log, start } = await server()
    const sub = createEmitter({ contextId: 'ctx-1', taskId: 'task-2', parentTaskId: 'task-1' }).emit
    await start(async function* () {
      yield emit({ kind: 'subtask-created', subtaskId: 'task-2', prompt: 'Go.' })
      yield sub({ kind: 'task-created', initiator: 'agent' })
      yield sub({ kind: 'task-status', status: 'completed' })
      yield delta('Done.')
      yield emit({ kind: 'content-complete', content: 'Done.' })
      yield completed()
    })
    expectLegalEnd(log, 'completed')
    expect(log.at(-1)?.taskId).toBe('task-1')
  })

  it('does not run a task that has ended', async () => {
    const { log, start } = await server()
    await start(async function* () {
      yield completed()
    })
    let isRun = false
    await start(async function* () {
      isRun = true
      yield failed()
    })
    expect(isRun).toBe(false)
    expect(log).toHaveLength(3)
  })

  it('ends a task once that is run several times at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ what: fc.nat(4), turns: fc.nat(10) }), { minLength: 2, maxLength: 4 }),
        async (agents) => {
          const { log, ledger, start } = await server()
          await ledger.append(begin())
          await Promise.all(
            agents.map(({ what, turns: count }) =>
              start(async function* () {
                await turns(count)
                yield emit({ kind: 'task-status', status: 'working' })
                await turns(count)
                if (what === 0) throw new Error('broken')
                if (what === 1) return
                yield what === 2 ? failed() : completed()
                if (what === 3) yield result()
              }).catch(() => undefined),
            ),
          )
          expectLegalEnd(log)
          const ends = log.filter((event) => 'status' in event && isTerminalStatus(event.status as never))
          expect(ends).toHaveLength(1)
        },
      ),
      { numRuns: runs(100) },
    )
  })

  it('keeps the order of time, however fast the clock is', async () => {
    let ms = Date.parse('2026-01-01T00:00:00Z')
    const stored = new Stored()
    const stream = await openOver(plainLog(stored), { now: () => ms++ })
    const done = stream.run(task, async function* () {
      yield delta('So')
      yield askAbout('i')
      throw new Error('broken')
    })
    await expect(done).rejects.toThrow('broken')
    expectLegalEnd(stored.events, 'failed')
  })

  it('ends a task after events with later times', async () => {
    const { log, ledger, start } = await server()
    await ledger.append({ ...begin(), timestamp: '2999-01-01T00:00:00Z' })
    const done = start(async function* () {
      yield delta('So')
      throw new Error('broken')
    })
    await expect(done).rejects.toThrow('broken')
    expectLegalEnd(log, 'failed')
  })

  it('ends every task legally, whenever it is canceled and its requests are answered', async () => {
    const step = fc.record({ what: fc.nat(5), turns: fc.nat(6) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.nat(60),
        fc.nat(60),
        async (steps, at, answerAt) => {
          const { log, ledger, start, cancel } = await server()
          const agent: Agent = async function* () {
            for (const [n, { what, turns: count }] of steps.entries()) {
              await turns(count)
              if (what === 0) throw new Error('broken')
              if (what === 1) return
              if (what === 2) {
                yield delta('x')
                await turns(count)
                yield emit({ kind: 'content-complete', content: 'x' })
              } else if (what < 5) {
                const call = { ...toolCall, id: `c-${n}` }
                const metadata = { toolCall: call, ...(what === 4 && { provider: 'client' }) }
                const [inputId, inputType] = [`i-${n}`, 'tool-execution'] as const
                yield emit({ kind: 'input-required', inputId, inputType, prompt: '?', metadata })
                await turns(count)
                yield waiting()
                const answer = await ledger.answer({ inputId })
                if (answer?.call === undefined) continue
                const { toolCallId, toolName } = answer.call
                yield emit({ kind: 'tool-start', toolCallId, toolName, arguments: {} })
                await turns(count)
                yield emit({ kind: 'tool-complete', toolCallId, toolName, success: true })
              }
            }
            yield emit({ kind: 'task-status', status: 'completed' })
          }
          const done = start(agent).catch(() => undefined)
          const answers = (async () => {
            await turns(answerAt)
            for (let n = 0; n < 12; n++) {
              await turns(7)
              const response = { inputId: `i-${n}` }
              await ledger.submit(createCommand({ kind: 'input.respond', responses: [response] }), user)
              await ledger.submit(
                createCommand({ kind: 'tool.result', toolCallId: `c-${n}`, success: true }),
                user,
              )
            }
          })()
          await turns(at * 4)
          await cancel()
          await answers
          // The first one may have come before the task.
          await cancel()
          await done
          expectLegalEnd(log)
        },
      ),
      { numRuns: runs(200) },
    )
  })
})

it.each([
  ['waited while a command was applied', 5, 0],
  ['its agent has dated long before', 3_600_000, 3_600_000],
])('an event that %s keeps the order of time', async (_, stamped, kept) => {
  const { ledger, start, log } = await server()
  await start(async function* () {
    const { timestamp: latest = '' } = log.at(-1) ?? {}
    const timestamp = new Date(Date.parse(latest) - stamped).toISOString()
    yield { ...delta('Hi'), timestamp } as EventDraft
    yield emit({ kind: 'content-complete', content: 'Hi' })
  })
  const at = log.findIndex(({ kind }) => kind === 'content-delta')
  const [before, event] = [log[at - 1], log[at]]
  expect(Date.parse(before?.timestamp ?? '') - Date.parse(event?.timestamp ?? '')).toBe(kept)
  await ledger.release()
})
