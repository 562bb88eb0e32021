// Proves that an accepted answer is not forgotten before its agent has taken it, whatever others answer meanwhile, and that what nobody
// takes is bounded for each task by itself.
import fc from 'fast-check'
import { run } from 'turnstream'
import { createCommand, type Receipt } from 'turnstream/commands'
import { describe, expect, it } from 'vitest'
import { MAX_KEPT } from '../../src/commands/ledger/kept-answers.ts'
import type { CommandLedgerState } from '../../src/commands/ledger/ledger.ts'
import { ledgerMachine } from '../../src/commands/ledger/ledger.ts'
import { MAX_ANSWERS_CHARS } from '../../src/commands/ledger/ledger-step.ts'
import { answerTo } from '../../src/commands/ledger/read.ts'
import { anyone } from '../support/anyone.ts'
import { eventOf } from '../support/event-of.ts'
import { runs } from '../support/runs.ts'

const sender = { role: 'user', id: 'user-1' } as const
const at = '2026-01-01T00:00:00Z'
const long = { value: 'x'.repeat(60_000) }

function conversation(maxEntries = 1000) {
  const ledger = run(
    ledgerMachine(
      { ...anyone, maxEntries },
      {
        stream: { name: 's' },
        takesInput: () => true,
        contextOfStream: () => undefined,
        checkEditOf: () => undefined,
        keepsAnswers: true,
      },
    ),
  )
  let count = 0
  const emit = (taskId: string, ...events: object[]): void => {
    // What is stored is JSON.
    for (const event of events)
      ledger.push({ type: 'event', event: eventOf({ ...event, taskId, contextId: 'c' }) })
  }
  const respond = (taskId: string, inputId: string, response: object): Receipt => {
    const timestamp = new Date(Date.parse(at) + count++).toISOString()
    const responses = [{ inputId, taskId, ...response }]
    const command = createCommand({ kind: 'input.respond', contextId: 'c', timestamp, responses } as never)
    for (const each of ledger.push({ type: 'command', command, sender, at }))
      if (each.type === 'receipt') return each.receipt
    return expect.fail('no receipt')
  }
  const ask = (taskId: string, inputId: string): void =>
    emit(taskId, { kind: 'input-required', inputId, inputType: 'custom', prompt: '?' })
  const askAbout = (taskId: string, inputId: string): void => {
    const toolCall = { id: `call of ${inputId}`, function: { name: 'pay', arguments: '{"to":"bob"}' } }
    const schema = { type: 'object', properties: { arguments: { type: 'object' } } }
    const about = { inputType: 'tool-execution', prompt: '?', schema, metadata: { toolCall } }
    emit(taskId, { kind: 'input-required', inputId, ...about })
  }
  const start = (taskId: string, inputId: string, args: object): void =>
    emit(taskId, { kind: 'tool-start', toolCallId: `call of ${inputId}`, toolName: 'pay', arguments: args })
  const write = (taskId: string): void => emit(taskId, { kind: 'content-delta', delta: 'x', index: 0 })
  const take = (taskId: string, inputId: string): void =>
    void ledger.push({ type: 'taken', contextId: 'c', taskId, inputId })
  /** Answers of another task that are taken, longer than the two generations that are remembered. */
  const flood = (taskId = 'other'): void => {
    for (let chars = 0; chars < 2.1 * MAX_ANSWERS_CHARS; chars += 60_000) {
      const inputId = `flood-${count}`
      ask(taskId, inputId)
      expect(respond(taskId, inputId, { value: 'x'.repeat(60_000) }).status).toBe('accepted')
      take(taskId, inputId)
    }
  }
  const statusOf = (taskId: string, inputId: string): string =>
    answerTo(ledger.state, { taskId, inputId, contextId: 'c' }).status
  /** Answers requests of a task until an answer is not accepted. Returns how many are. */
  const fill = (taskId: string): number => {
    for (let count = 0; ; count++) {
      ask(taskId, `q-${count}`)
      if (respond(taskId, `q-${count}`, long).status !== 'accepted') return count
    }
  }
  const begin = (taskId: string): void =>
    emit(taskId, { kind: 'task-created', initiator: 'user' }, { kind: 'task-status', status: 'working' })
  for (const taskId of ['task', 'other']) begin(taskId)
  return { ledger, begin, emit, respond, ask, askAbout, start, write, take, flood, fill, statusOf }
}

/** How long a state is where it is stored. */
const lengthOf = (state: CommandLedgerState): number => JSON.stringify(state).length

describe('an answer', () => {
  it('is remembered until its agent has taken it, whatever the agent writes', () => {
    const { ask, respond, flood, statusOf, write, take, emit } = conversation()
    ask('task', 'q')
    expect(respond('task', 'q', { value: 'yes' }).status).toBe('accepted')
    flood()
    // Who takes over a task whose process has stopped closes what that one wrote.
    emit('task', { kind: 'content-complete', content: 'We' })
    write('task')
    flood()
    expect(statusOf('task', 'q')).toBe('answered')
    take('task', 'q')
    flood()
    expect(statusOf('task', 'q')).toBe('closed')
  })

  it.each([
    ['an approval', { outcome: 'answered' }, { to: 'bob' }],
    ['an edit', { value: { arguments: { to: 'eve' } } }, { to: 'eve' }],
  ])('that is %s is remembered until the call starts', (_, response, args) => {
    const { askAbout, respond, flood, statusOf, write, take, start } = conversation()
    for (const inputId of ['a', 'b']) {
      askAbout('task', inputId)
      expect(respond('task', inputId, response).status).toBe('accepted')
    }
    start('task', 'b', args)
    write('task')
    take('task', 'a')
    flood()
    expect([statusOf('task', 'a'), statusOf('task', 'b')]).toEqual(['answered', 'closed'])
    start('task', 'a', args)
    flood()
    expect(statusOf('task', 'a')).toBe('closed')
  })

  it('of a task that has ended is forgotten', () => {
    const { ledger, ask, respond, flood, emit } = conversation()
    ask('task', 'q')
    respond('task', 'q', { value: 'secret' })
    emit('task', { kind: 'task-status', status: 'failed' })
    flood()
    expect(JSON.stringify(ledger.state)).not.toContain('secret')
  })
})

describe('answers that no agent takes', () => {
  it('are refused beyond a limit, until the agent takes some', () => {
    const { ask, respond, take, fill } = conversation()
    const count = fill('task')
    const refused = `q-${count}`
    const receipt = respond('task', refused, long)
    expect(receipt.status).toBe('busy')
    expect(receipt.results[0]?.message).toMatch(/task "task" to take the answers/)
    expect((count + 1) * 60_000).toBeGreaterThan(MAX_KEPT)
    expect(count * 60_000).toBeLessThanOrEqual(2_097_152)
    take('task', 'q-0')
    take('task', 'q-0')
    expect(respond('task', refused, long).status).toBe('accepted')
    ask('task', 'last')
    expect(respond('task', 'last', long).status).toBe('busy')
  })

  it('make room for another once the call that one approved has started', () => {
    const { askAbout, start, respond, fill } = conversation()
    const args = { to: long.value }
    askAbout('task', 'call')
    expect(respond('task', 'call', { value: { arguments: args } }).status).toBe('accepted')
    const refused = `q-${fill('task')}`
    start('task', 'call', args)
    expect(respond('task', refused, long).status).toBe('accepted')
  })

  it('leave room for those of other tasks, and can be declined', () => {
    const { begin, respond, fill, ledger } = conversation()
    const counts = Array.from({ length: 8 }, (_, i) => {
      begin(`task-${i}`)
      const count = fill(`task-${i}`)
      expect(respond(`task-${i}`, `q-${count}`, { outcome: 'declined' }).status).toBe('accepted')
      return count
    })
    expect(counts[0]).toBeGreaterThan(20)
    expect(counts.at(-1)).toBe(2)
    expect(lengthOf(ledger.state)).toBeLessThan(12 * MAX_ANSWERS_CHARS)
  })
})

it('no order of answers, other answers and events forgets one that is not taken', () => {
  const steps = fc.array(
    fc.tuple(fc.constantFrom('ask', 'call', 'write', 'take', 'start', 'others', 'end'), fc.nat(2)),
    {
      maxLength: 60,
      size: 'max',
    },
  )
  fc.assert(
    fc.property(steps, (all) => {
      const { begin, emit, ask, askAbout, respond, write, take, start, statusOf } = conversation(2)
      /** The answers that are not taken, of each task. */
      const asked = new Map<string, Set<string>>()
      const approved = new Map<string, string[]>()
      const ended = [0, 0, 0]
      all.forEach(([what, n], i) => {
        const taskId = `task-${n}-${ended[n]}`
        if (!asked.has(taskId)) {
          begin(taskId)
          asked.set(taskId, new Set())
          approved.set(taskId, [])
        }
        const inputId = `${what}-${i}`
        if (what === 'ask') {
          ask(taskId, inputId)
          expect(respond(taskId, inputId, { value: i }).status).toBe('accepted')
          asked.get(taskId)?.add(inputId)
        } else if (what === 'call') {
          askAbout(taskId, inputId)
          expect(respond(taskId, inputId, { value: { arguments: { i } } }).status).toBe('accepted')
          approved.get(taskId)?.push(inputId)
        } else if (what === 'start') {
          const started = approved.get(taskId)?.shift()
          if (started !== undefined) {
            start(taskId, started, { i: Number(started.slice('call-'.length)) })
          }
        } else if (what === 'write') {
          write(taskId)
        } else if (what === 'take') {
          for (const each of asked.get(taskId) ?? []) take(taskId, each)
          asked.get(taskId)?.clear()
        } else if (what === 'end') {
          emit(taskId, { kind: 'task-status', status: 'failed' })
          asked.delete(taskId)
          approved.delete(taskId)
          ended[n] = i + 1
        } else {
          for (let j = 0; j < 6; j++) {
            ask('other', `${inputId}-${j}`)
            respond('other', `${inputId}-${j}`, { value: j })
            take('other', `${inputId}-${j}`)
          }
        }
        for (const kept of [asked, approved])
          for (const [task, ids] of kept)
            for (const id of ids) expect([id, statusOf(task, id)]).toEqual([id, 'answered'])
      })
    }),
    { numRuns: runs(100, 60) },
  )
})
