// Proves that a page reads the same open requests from its view as the server does from its ledger.
import fc from 'fast-check'
import { run } from 'turnstream'
import { commandLedger, openRequests as openInLedger } from 'turnstream/commands'
import { emptyView, foldEvents, openRequests } from 'turnstream/streams'
import { expect, it } from 'vitest'
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
