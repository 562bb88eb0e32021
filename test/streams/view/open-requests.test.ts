// Proves that a page reads the same open requests from its view as the server does from its ledger.
import fc from 'fast-check'
import { type ContextAnyEvent, run } from 'turnstream'
import { emptyView, foldEvents, openRequests } from 'turnstream/streams'
import { expect, it } from 'vitest'
import { commandLedger } from '../../../src/commands/ledger/ledger.ts'
import { openRequests as openInLedger } from '../../../src/commands/ledger/read.ts'
import type { LedgerInput } from '../../../src/commands/ledger/types.ts'
import { runs } from '../../support/runs.ts'
import { approvalStreams, soundStreams } from '../verify/support.ts'
import { created, events } from './support.ts'

const byId = (a: { id: string; type: string }, b: { id: string; type: string }): number =>
  `${a.type} ${a.id}` < `${b.type} ${b.id}` ? -1 : 1

it('has the open requests of the ledger, wherever a stream stops', () => {
  const streams = fc.oneof(approvalStreams, soundStreams({ revisions: false }))
  fc.assert(
    fc.property(streams, fc.nat(), (stream, cut) => {
      const seen = stream.slice(0, 1 + (cut % stream.length))
      const ledger = run(commandLedger({ mayAnswer: () => true }))
      for (const event of seen) ledger.push({ type: 'event', event })
      const expected = openInLedger(ledger.state)
      const actual = openRequests(foldEvents(emptyView, seen))
      const order = (list: typeof actual): string[] => list.map(({ type, id }) => `${type} ${id}`).sort()
      expect(order(actual)).toEqual(order(expected))
      expect(actual.toSorted(byId)).toEqual(expected.toSorted(byId))
    }),
    { numRuns: runs(200) },
  )
})

it('has the open requests of the ledger if ids are used again', () => {
  const step = fc.record({
    action: fc.constantFrom('ask', 'ask', 'answer', 'decline', 'login', 'deny', 'close'),
    id: fc.constantFrom('q', 'r'),
    n: fc.nat(2),
    isAbout: fc.constantFrom('nothing', 'k', 'l'),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const ledger = run(commandLedger({ mayAnswer: () => true }))
      const log: ContextAnyEvent[] = []
      const take = (input: LedgerInput): void => {
        if (input.type === 'event') log.push(input.event)
        for (const output of ledger.push(input)) if (output.type === 'event') log.push(output.event)
      }
      let second = 0
      const append = (draft: object): void => {
        const timestamp = new Date(Date.UTC(2026, 0, 1) + 1000 * ++second).toISOString()
        const event = { contextId: 'ctx', taskId: 'task', timestamp, ...draft }
        take({ type: 'event', event: event as unknown as ContextAnyEvent })
      }
      const send = (draft: object): void => {
        const at = new Date(Date.UTC(2026, 0, 1) + 1000 * ++second).toISOString()
        const command = { commandId: `${second}`, timestamp: at, contextId: 'ctx', ...draft }
        take({ type: 'command', command, sender: { role: 'user', id: 'alice' }, at, verified: {} })
      }
      append({ kind: 'task-created', initiator: 'user' })
      for (const { action, id, n, isAbout } of steps) {
        const toolCall = { id: isAbout, function: { name: 'pay', arguments: `{"n":${n}}` } }
        const metadata = isAbout === 'nothing' ? {} : { metadata: { toolCall } }
        const ask = { kind: 'input-required', inputId: id, inputType: 'custom', prompt: `${n}?`, ...metadata }
        const login = { kind: 'auth-required', authId: id, authType: 'oauth2', prompt: `${n}?` }
        if (action === 'ask') append(ask)
        else if (action === 'login') append(login)
        else if (action === 'close' && log.some((each) => 'inputId' in each && each.inputId === id))
          append({ kind: 'input-canceled', inputId: id, reason: 'withdrawn' })
        else if (action === 'close') continue
        else if (action === 'deny') send({ kind: 'auth.respond', authId: id, outcome: 'denied' })
        else {
          const outcome = action === 'answer' ? 'answered' : 'declined'
          send({ kind: 'input.respond', responses: [{ inputId: id, outcome }] })
        }
      }
      const seen = openRequests(foldEvents(emptyView, log))
      expect(seen.toSorted(byId)).toEqual(openInLedger(ledger.state).toSorted(byId))
    }),
    { numRuns: runs(300) },
  )
})

it('names the tasks above, the call with its digest, the expiry, and calls that the client runs', () => {
  const toolCall = { id: 'call-1', function: { name: 'pay', arguments: '{"amount":5}' } }
  const view = foldEvents(
    emptyView,
    events(
      created,
      { kind: 'subtask-created', subtaskId: 'task-2', prompt: 'Pay.' },
      {
        ...{ kind: 'input-required', taskId: 'task-2', parentTaskId: 'task', inputId: 'input-1' },
        ...{ inputType: 'tool-execution', prompt: 'Pay?', metadata: { toolCall, timeout: 60 } },
      },
      {
        ...{ kind: 'tool-start', toolCallId: 'call-2', toolName: 'where', arguments: {} },
        metadata: { provider: 'client' },
      },
    ),
  )
  expect(openRequests(view)).toMatchObject([
    {
      ...{ type: 'input', taskId: 'task-2', ancestorTaskIds: ['task'], id: 'input-1', prompt: 'Pay?' },
      call: { toolCallId: 'call-1', toolName: 'pay', arguments: '{"amount":5}' },
      expiresAt: expect.stringMatching(/Z$/),
    },
    { type: 'tool', taskId: 'task', id: 'call-2', prompt: 'Run where.', isExecution: true },
  ])
})
