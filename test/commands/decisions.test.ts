// Proves that a decision takes at most 128 bytes of the state, whatever was asked and answered, and that it is found again.
import fc from 'fast-check'
import { run } from 'turnstream'
import { type CommandLedgerState, commandLedger, createCommand, type Sender } from 'turnstream/commands'
import { expect, it } from 'vitest'
import { anyone } from '../support/anyone.ts'
import { eventOf } from '../support/event-of.ts'
import { runs } from '../support/runs.ts'

const sender = { role: 'user', id: 'user-1' } as const
const coordinator = { role: 'coordinator', id: 'agent-1' } as const
const at = '2026-01-01T00:00:00Z'
const schema = { type: 'object', properties: { arguments: { type: 'object' } } }

const decision = fc.record({
  what: fc.constantFrom('approve', 'edit', 'decline', 'start', 'answer', 'cancel', 'expire', 'auth'),
  id: fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constant('id '.repeat(100))),
  audience: fc.subarray(['user', 'coordinator', 'observer']),
  requireUser: fc.boolean(),
})

const sizeOf = (state: CommandLedgerState): number =>
  new TextEncoder().encode(JSON.stringify((state as unknown as { decisions: object }).decisions)).length

it('a decision takes at most 128 bytes until its task ends, and is known', () => {
  const all = fc.array(decision, { minLength: 50, maxLength: 100, size: 'max' })
  fc.assert(
    fc.property(all, fc.boolean(), (decisions, isLongest) => {
      const ledger = run(commandLedger({ ...anyone, maxEntries: 1 }))
      const empty = sizeOf(ledger.state)
      const emit = (event: object): void => {
        ledger.push({
          type: 'event',
          event: eventOf({ contextId: 'c', taskId: 'task', timestamp: at, ...event }),
        })
      }
      let count = 0
      const respond = (command: object, by: Sender = sender): string | undefined => {
        const timestamp = new Date(Date.parse(at) + count++).toISOString()
        const sent = createCommand({ contextId: 'c', timestamp, ...command } as never)
        const out = ledger.push({ type: 'command', command: sent, sender: by, at, verified: {} })
        return out.flatMap((each) => (each.type === 'receipt' ? [each.receipt.status] : []))[0]
      }
      emit({ kind: 'task-created', initiator: 'user' })
      const again: [command: object, status: string | undefined, isHidden: boolean][] = []
      for (const [i, { id, audience, requireUser, ...drawn }] of decisions.entries()) {
        const what = isLongest ? 'edit' : drawn.what
        const [inputId, authId, toolCallId] = [`${id} ${i}`, `${id} ${i}`, `call ${id} ${i}`]
        const label = audience.includes('user') ? { audience } : {}
        const isHidden = audience.includes('user') && !audience.includes('coordinator')
        if (what === 'auth') {
          emit({ kind: 'auth-required', authId, authType: 'oauth2', prompt: 'Log in', metadata: label })
          const command = { kind: 'auth.respond', authId, outcome: 'completed', taskId: 'task' }
          expect(respond(command)).toBe('accepted')
          again.push([command, 'repeated', isHidden])
          continue
        }
        const toolCall = { id: toolCallId, function: { name: 'pay', arguments: `{"i":${i}}` } }
        const isApproval = what !== 'answer'
        emit({
          ...{ kind: 'input-required', inputId, requireUser, prompt: `Well, ${id}?` },
          ...{ inputType: isApproval ? 'tool-execution' : 'custom', ...(isApproval && { schema }) },
          metadata: { ...label, ...(isApproval && { toolCall }) },
        })
        if (what === 'cancel' || what === 'expire') {
          emit({ kind: 'input-canceled', inputId, reason: what === 'expire' ? 'expired' : 'withdrawn' })
          const response = { inputId, taskId: 'task', outcome: 'answered' }
          const status = what === 'expire' ? 'expired' : 'unknown-request'
          again.push([{ kind: 'input.respond', responses: [response] }, status, isHidden])
          continue
        }
        const answer = {
          ...{ approve: { outcome: 'answered' }, start: { outcome: 'answered' } },
          ...{ decline: { outcome: 'declined' }, answer: { value: { i } } },
          edit: { value: { arguments: { edited: i } } },
        }[what]
        const command = { kind: 'input.respond', responses: [{ inputId, taskId: 'task', ...answer }] }
        expect(respond(command)).toBe('accepted')
        again.push([command, 'repeated', isHidden])
        const args = { start: { i }, edit: { edited: i } }[what as 'start' | 'edit']
        if (args !== undefined) emit({ kind: 'tool-start', toolCallId, toolName: 'pay', arguments: args })
      }
      expect((sizeOf(ledger.state) - empty) / decisions.length).toBeLessThanOrEqual(128)
      for (const [command, status, isHidden] of again) {
        expect([command, respond(command)]).toEqual([command, status])
        // What was forgotten is hidden from those whom its request was hidden from.
        const known = respond(command, coordinator) !== 'unknown-request'
        if (status !== 'unknown-request') expect([command, known]).toEqual([command, !isHidden])
      }
      emit({ kind: 'task-status', status: 'completed' })
      expect(sizeOf(ledger.state)).toBe(empty)
    }),
    { numRuns: runs(100, 30) },
  )
})
