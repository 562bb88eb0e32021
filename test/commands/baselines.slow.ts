// Proves that nothing changes unseen in what a ledger answers, writes and reports, by its rules.
import fc from 'fast-check'
import { it } from 'vitest'
import { commandLedger, type LedgerOptions } from '../../src/commands/ledger/ledger.ts'
import {
  ancestorsOf,
  nextExpiry,
  openRequests,
  requestsBelow,
  runningTasks,
  stoppedTasks,
  tasksBelow,
} from '../../src/commands/ledger/read.ts'
import type { LedgerInput } from '../../src/commands/ledger/types.ts'
import { CommandReader } from '../../src/commands/wires/command-reader.ts'
import { responseTo } from '../../src/commands/wires/response.ts'
import { approvalStreams } from '../streams/verify/support.ts'
import { labelled } from '../streams/view/support.ts'
import { anyone } from '../support/anyone.ts'
import { baselineOf, drawn } from '../support/baseline.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { choices, World } from './simulation.ts'

const expectBaseline = baselineOf('commands')
const rules: Readonly<Record<string, LedgerOptions>> = {
  anyone,
  owners: { needsApproval: () => true },
  few: {
    ...anyone,
    maxEntries: 3,
    maxAnswerChars: 20,
    enforce: 'report',
    needsApproval: ({ provider }) => provider === undefined,
  },
}

it.each(Object.entries(rules))('%s', (name, options) =>
  expectBaseline(name, drawn(choices, 24), (list) => {
    const world = new World(options)
    for (const choice of list) world.play(choice)
    const { log, deliveries, diagnostics, executed, sent, state } = world
    const answers = deliveries.map(({ outputs, sender }) => [outputs, sender])
    return [log, answers, diagnostics, executed, sent, openRequests(state), stoppedTasks(state)]
  }),
)

const pick = fc.nat(999)
const labels = labelled(fc.oneof(approvalStreams, legalStreams({ focus: 'approvals' })))
const values = [
  true,
  'yes',
  { approved: true },
  { approved: false, reason: 'No.' },
  { arguments: { n: 1 } },
  null,
  7,
]
const senders = (['user', 'coordinator', 'parent', 'observer', 'operator'] as const).map((role) => ({
  role,
  id: 'a',
}))

it('what is asked for by any stream is answered, and shown, as before', async () => {
  const cases = drawn(fc.tuple(labels, fc.array(pick, { minLength: 40, maxLength: 40 })), 60, 2)
  await expectBaseline('streams', cases, ([events, picks]) => {
    const ledger = commandLedger({
      ...anyone,
      ...((picks[0] ?? 0) % 2 === 0 && { mayAnswer: undefined as never }),
    })
    let state = ledger.initial
    const made: unknown[] = []
    const take = (input: LedgerInput): void => {
      const step = ledger.step(state, input)
      state = step.state
      made.push(step.out, step.diagnostics)
    }
    for (const [i, event] of events.entries()) {
      take({ type: 'event', event })
      const at = picks[i % picks.length] ?? 0
      const open = openRequests(state)
      const request = open[at % Math.max(1, open.length)]
      if (at % 3 > 0 || request === undefined) continue
      const { contextId, taskId, id } = request
      const place = {
        commandId: `c${i % 9}`,
        timestamp: event.timestamp,
        contextId,
        ...(at % 2 === 0 && { taskId }),
      }
      const outcome = ['answered', 'declined'][at % 2]
      const value = values[at % values.length]
      const commands = [
        {
          ...place,
          kind: 'input.respond',
          responses: [{ inputId: id, outcome, value, ...(at % 5 > 0 && { taskId }) }],
        },
        {
          ...place,
          kind: 'auth.respond',
          authId: id,
          outcome: ['completed', 'denied', 'failed'][at % 3],
          taskId,
        },
        {
          ...place,
          kind: 'tool.result',
          toolCallId: id,
          success: at % 2 === 0,
          result: value,
          error: 'No.',
          taskId,
        },
        { ...place, kind: 'task.cancel', reason: 'Enough.', ...(at % 4 > 0 && { taskId }) },
        { ...place, kind: 'task.send', input: value },
      ]
      const own = { input: 0, auth: 1, tool: 2 }[request.type]
      const command = commands[at % 7 > 2 ? own : at % commands.length]
      take({
        type: 'command',
        verified: {},
        command,
        sender: senders[at % 9] ?? { role: 'user', id: 'a' },
        at: event.timestamp,
      })
      made.push(openRequests(state), nextExpiry(state), stoppedTasks(state), runningTasks(state))
      made.push(requestsBelow(state, request), tasksBelow(state, request), ancestorsOf(state, request))
    }
    return made
  })
})

it('values are responses as before', async () => {
  const field = fc.constantFrom<unknown>(true, false, 'x', 7, null, { n: 1 })
  const names = ['approved', 'reason', 'feedback', 'arguments', 'editedArgs', 'editedArguments', 'other']
  const fields = Object.fromEntries(names.map((name) => [name, field]))
  const value = fc.oneof(
    field,
    fc.record(fields, { requiredKeys: [] }),
    fc.record(fields, { requiredKeys: ['approved'] }),
  )
  const requests = [undefined, { id: 'i' }, { id: 'i', call: { toolName: 'f', arguments: '{}' } }]
  await expectBaseline('responses', drawn(fc.tuple(value, fc.nat(2)), 300), ([given, which]) => {
    const reader = new CommandReader({})
    const named = { id: 'i', ...(requests[which] && { request: requests[which] as never }) }
    return [responseTo(reader, named, given, '/value'), reader.done()]
  })
})
