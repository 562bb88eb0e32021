// Proves that whose a task is does not change, however many other tasks its conversation has meanwhile.
import fc from 'fast-check'
import { run } from 'turnstream'
import { createCommand, type Sender } from 'turnstream/commands'
import { describe, expect, it } from 'vitest'
import { commandLedger } from '../../src/commands/ledger/ledger.ts'
import { openRequests } from '../../src/commands/ledger/read.ts'
import { eventOf } from '../support/event-of.ts'
import { runs } from '../support/runs.ts'

const alice: Sender = { role: 'user', id: 'alice' }
const mallory: Sender = { role: 'user', id: 'mallory' }
const at = '2026-01-01T00:00:00Z'

/** A conversation that Mallory has begun, and that Alice may use as well. */
function shared() {
  const ledger = run(commandLedger({ maxEntries: 8, mayAccess: () => true }))
  let count = 0
  const submit = (command: object, sender: Sender) => {
    const timestamp = new Date(Date.parse(at) + count++).toISOString()
    const whole = createCommand({ contextId: 'c', timestamp, ...command } as never)
    for (const each of ledger.push({ type: 'command', command: whole, sender, at }))
      if (each.type === 'receipt') return each.receipt
    return expect.fail('no receipt')
  }
  const emit = (taskId: string, ...events: object[]): void => {
    for (const event of events) ledger.push({ type: 'event', event: eventOf({ ...event, taskId }) })
  }
  const begin = (sender: Sender): string => {
    const taskId = submit({ kind: 'task.send', input: 'Hi' }, sender).results[0]?.taskId ?? ''
    emit(taskId, { kind: 'task-created', initiator: 'user' }, { kind: 'task-status', status: 'working' })
    return taskId
  }
  const answer = (taskId: string, sender: Sender): string =>
    submit({ kind: 'input.respond', responses: [{ inputId: 'i', taskId, value: 1 }] }, sender).status
  const ask = (taskId: string, of: object = {}): void =>
    emit(taskId, { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '?', ...of })
  return { ledger, submit, emit, begin, answer, ask }
}

describe('a task in a busy conversation', () => {
  it('is answered by its owner alone, and keeps being canceled', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 400, size: 'max' }),
        fc.boolean(),
        fc.boolean(),
        (others, isCanceled, isSub) => {
          const { ledger, submit, emit, begin, answer, ask } = shared()
          begin(mallory)
          const own = begin(alice)
          if (isCanceled) submit({ kind: 'task.cancel', taskId: own }, alice)
          for (const ends of others) {
            const taskId = begin(mallory)
            if (ends) emit(taskId, { kind: 'task-status', status: 'completed' })
          }
          const asking = isSub ? 'sub' : own
          if (isSub) emit('sub', { kind: 'task-created', initiator: 'agent', parentTaskId: own })
          ask(asking, isSub ? { parentTaskId: own } : {})
          if (isCanceled) {
            if (others.filter((ends) => !ends).length < 100) expect(openRequests(ledger.state)).toEqual([])
            return
          }
          expect(answer(asking, mallory)).toBe('forbidden')
          if (others.filter((ends) => !ends).length < 100) expect(answer(asking, alice)).toBe('accepted')
        },
      ),
      { numRuns: runs(100) },
    )
  })
})
