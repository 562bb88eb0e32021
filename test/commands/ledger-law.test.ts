// Proves that each request is answered at most once, that nothing is executed twice, and that the stream stays legal,
// whatever clients send, and whenever processes crash.

import fc from 'fast-check'
import { run } from 'turnstream'
import { callDigest } from 'turnstream/commands'
import { emptyView, foldEvents, verifier } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { commandLedger } from '../../src/commands/ledger/ledger.ts'
import type { LedgerOutput } from '../../src/commands/ledger/types.ts'
import { anyone } from '../support/anyone.ts'
import { runs } from '../support/runs.ts'
import { choices, World } from './simulation.ts'
import { expectNamed, type Fields, subjectOf, subjectsOf } from './subjects.ts'

const ledger = commandLedger({ ...anyone, maxEntries: 100 })

function played(steps: Parameters<World['play']>[0][]): World {
  const world = new World()
  for (const step of steps) world.play(step)
  world.end()
  return world
}

const simulated = choices

describe('a simulated server', () => {
  it('answers each request at most once, executes nothing twice, and emits a legal stream', () => {
    fc.assert(
      fc.property(simulated, (steps) => {
        const world = played(steps)
        const accepted = world.deliveries
          .flatMap(({ outputs }) => outputs)
          .flatMap((output) => (output.type === 'receipt' ? output.receipt.results : []))
          .filter(({ status }) => status === 'accepted')
          .flatMap(({ inputId, authId, toolCallId }) => inputId ?? authId ?? toolCallId ?? [])
        expect(accepted).toEqual([...new Set(accepted)])
        const executed = world.executed.map(({ toolCallId }) => toolCallId)
        expect(executed).toEqual([...new Set(executed)])
        expect(world.sent).toEqual([...new Set(world.sent)])
        const { push, end } = run(verifier({ mode: 'strict' }))
        const violations = [...world.log.flatMap((event) => [...push(event)]), ...end()]
        expect(violations.filter(({ severity }) => severity === 'error')).toEqual([])
        expect(world.diagnostics).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  it('gives each command one receipt, which names it, its status and what each result is about', () => {
    fc.assert(
      fc.property(simulated, (steps) => {
        for (const { command, outputs } of played(steps).deliveries) {
          const receipts = outputs.flatMap((output) => (output.type === 'receipt' ? [output.receipt] : []))
          expect(receipts).toHaveLength(1)
          const [receipt] = receipts
          expect(receipt?.commandId).toBe((command as { commandId: string }).commandId)
          expect(receipt?.results.map(subjectOf)).toEqual(subjectsOf(command as Fields, receipt?.status))
          const statuses = receipt?.results.map(({ status }) => status) ?? []
          const refused = statuses.find((status) => status !== 'accepted' && status !== 'repeated')
          expect(receipt?.status).toBe(refused ?? (statuses.includes('accepted') ? 'accepted' : 'repeated'))
          for (const { message } of receipt?.results ?? []) expect(message).toMatch(/\.$/)
        }
      }),
      { numRuns: runs(200) },
    )
  })

  it('refuses what a stranger or an observer sends by a receipt that names it and what each result is about', () => {
    const { push } = run(commandLedger({ mayAccess: () => false }))
    fc.assert(
      fc.property(simulated, fc.boolean(), (steps, isNamed) => {
        const task = isNamed ? { taskId: 'task-1' } : {}
        for (const { command, sender } of played(steps).deliveries) {
          const sent = { ...(command as Fields), ...task }
          const responses = (sent as Fields).responses as Fields[] | undefined
          if (responses !== undefined)
            Object.assign(sent, { responses: responses.map((each) => ({ ...each, ...task })) })
          const outputs = push({ type: 'command', command: sent, sender, at: '2026-01-01T00:00:00Z' })
          const [{ commandId }, subjects] = [sent as { commandId?: string }, subjectsOf(sent, 'forbidden')]
          const results = subjects.map((subject) => ({
            ...JSON.parse(JSON.stringify(subject)),
            ...{ status: 'forbidden', message: expect.stringMatching(/^Expected .*\.$/) },
          }))
          expect(outputs).toEqual([{ type: 'receipt', receipt: { commandId, status: 'forbidden', results } }])
          const observer = { role: 'observer', id: 'nosy' } as const
          const seen = run(ledger).push({
            type: 'command',
            command: sent,
            sender: observer,
            at: '2026-01-01T00:00:00Z',
          })
          for (const output of seen) if (output.type === 'receipt') expectNamed(sent, output.receipt)
        }
      }),
      { numRuns: runs(50) },
    )
  })

  it('accepts each commandId of a sender once', () => {
    fc.assert(
      fc.property(simulated, (steps) => {
        const accepted = played(steps).deliveries.flatMap(({ command, outputs, sender }) =>
          outputs.some(
            (output) =>
              output.type === 'receipt' && output.receipt.results.some(({ status }) => status === 'accepted'),
          )
            ? [`${sender.role} ${sender.id} ${(command as { commandId: string }).commandId}`]
            : [],
        )
        expect(accepted).toEqual([...new Set(accepted)])
      }),
      { numRuns: runs(200) },
    )
  })

  it('executes a call only with the arguments that were approved', () => {
    fc.assert(
      fc.property(simulated, (steps) => {
        const world = played(steps)
        const answers = outputsOf(world).flatMap((output) =>
          output.type === 'answer' ? [output.answer] : [],
        )
        for (const { toolCallId, arguments: args } of world.executed) {
          const answer = answers.find(({ call }) => call?.toolCallId === toolCallId)
          expect(answer?.call?.arguments).toEqual(args)
          const received = world.log.find(
            (event) => event.kind === 'input-received' && event.inputId === answer?.inputId,
          )
          const digest = callDigest({ toolName: 'book', arguments: args })
          expect(received).toMatchObject({ metadata: { callDigest: digest } })
        }
      }),
      { numRuns: runs(200) },
    )
  })

  it('shows a call as approved if an answer approves it, and else as declined', () => {
    fc.assert(
      fc.property(simulated, (steps) => {
        const world = played(steps)
        const calls = foldEvents(emptyView, world.log).tasks.flatMap(({ parts }) =>
          parts.flatMap((part) => (part.type === 'tool' && part.approval ? [part.approval] : [])),
        )
        for (const output of outputsOf(world)) {
          if (output.type !== 'answer') continue
          const { inputId, outcome, call } = output.answer
          const shown = calls.find((each) => each.inputId === inputId)
          if (shown === undefined) continue
          expect(shown.status).toBe(call === undefined ? 'declined' : 'approved')
          expect(outcome).toBe(call === undefined ? 'declined' : 'answered')
        }
      }),
      { numRuns: runs(200) },
    )
  })

  it('accepts the result of a client only for a call that the client is to run', () => {
    fc.assert(
      fc.property(simulated, (steps) => {
        const world = played(steps)
        const ofClient = world.log.flatMap((event) =>
          event.kind === 'input-required' && event.metadata?.provider === 'client'
            ? [event.metadata.toolCall?.id]
            : [],
        )
        for (const { outputs } of world.deliveries) {
          for (const output of outputs) {
            if (output.type !== 'receipt') continue
            for (const { status, toolCallId } of output.receipt.results) {
              if (status === 'accepted' && toolCallId !== undefined) expect(ofClient).toContain(toolCallId)
            }
          }
        }
        expect(world.executed.filter(({ toolCallId }) => ofClient.includes(toolCallId))).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })

  it('changes nothing for a command that is not accepted, and gives one receipt with the reason for each', () => {
    fc.assert(
      fc.property(simulated, (steps) => {
        const world = played(steps)
        for (const { outputs, before, after, at } of world.deliveries) {
          const receipts = outputs.flatMap((output) => (output.type === 'receipt' ? [output.receipt] : []))
          expect(receipts).toHaveLength(1)
          const [receipt] = receipts
          expect(receipt?.results.every(({ message }) => message.length > 10)).toBe(true)
          if (receipt?.results.some(({ status }) => status === 'accepted')) continue
          // All that happens is that time passes.
          const expired = ledger.step(JSON.parse(before), { type: 'time', at })
          expect(JSON.parse(after)).toEqual(JSON.parse(JSON.stringify(expired.state)))
          expect(outputs.filter(({ type }) => type !== 'receipt')).toEqual(expired.out)
        }
      }),
      { numRuns: runs(200) },
    )
  })

  it('accepts, repeats and refuses for every reason', () => {
    const missing = new Set<string>([
      ...['accepted', 'changed-call', 'conflict', 'ended', 'expired', 'forbidden', 'invalid', 'repeated'],
      'unknown-request',
    ])
    for (let seed = 0; missing.size > 0; seed++) {
      if (seed === 100) expect.fail(`Never seen: ${[...missing].join(', ')}.`)
      for (const steps of fc.sample(simulated, { numRuns: 20, seed })) {
        for (const output of outputsOf(played(steps))) {
          if (output.type === 'receipt')
            for (const { status } of output.receipt.results) missing.delete(status)
        }
      }
    }
  })
})

function outputsOf(world: World): LedgerOutput[] {
  return world.deliveries.flatMap(({ outputs }) => outputs)
}
