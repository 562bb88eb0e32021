// Proves that every event of a client of the session protocol is read as the command that it means, or reported.

import fc from 'fast-check'
import { type ContextAnyEvent, run } from 'turnstream'
import { decodeCommand } from 'turnstream/commands'
import { commandsFromSessionEvent, createSessionEvent, toSessionEvents } from 'turnstream/session'
import { describe, expect, it } from 'vitest'
import { commandLedger } from '../../../../src/commands/ledger/ledger.ts'
import { openRequests } from '../../../../src/commands/ledger/read.ts'
import { sessionClientEventNames } from '../../../../src/dialects/session/wire/names.ts'
import { sessionEventSchemas } from '../../../../src/dialects/session/wire/schemas/index.ts'
import { anyone } from '../../../support/anyone.ts'
import { runs } from '../../../support/runs.ts'
import { accepted, json } from '../../../support/zod-arbitrary.ts'

const options = { now: () => 0, newId: () => 'id' }
const filled = { commandId: 'id', timestamp: '1970-01-01T00:00:00.000Z' }
const session = { session_id: 'ctx-1', timestamp: '2026-01-01T00:00:00Z' }

describe('commandsFromSessionEvent', () => {
  it.each<[event: object, command: object]>([
    [
      { event: 'user.message', content: 'Go.', metadata: { priority: 'high' } },
      { kind: 'task.send', contextId: 'ctx-1', input: 'Go.', metadata: { priority: 'high' } },
    ],
    [
      { event: 'user.response', step_id: 'i', content: { approved: true, selected_id: 'a' } },
      { kind: 'input.respond', contextId: 'ctx-1', responses: [{ inputId: 'i', value: 'a' }] },
    ],
    [
      { event: 'user.response', step_id: 'i', content: { approved: false, feedback: 'No.' } },
      {
        kind: 'input.respond',
        contextId: 'ctx-1',
        responses: [{ inputId: 'i', outcome: 'declined', reason: 'No.' }],
      },
    ],
    [
      { event: 'user.cancel', content: { reason: 'Enough.' } },
      { kind: 'task.cancel', contextId: 'ctx-1', reason: 'Enough.' },
    ],
    [
      { event: 'user.reconnect', content: { session_id: 'ctx-1', last_seq: 7 } },
      { kind: 'stream.resume', contextId: 'ctx-1', lastEventId: '7' },
    ],
    [
      {
        event: 'user.reconnect_with_state',
        content: { signed_state: 's', last_seq: 7, last_event_id: 'c-7' },
        metadata: { offline_duration_ms: 1, state_version: '1' },
      },
      { kind: 'stream.resume', contextId: 'ctx-1', lastEventId: 'c-7' },
    ],
  ])('reads %j', (event, command) => {
    const { timestamp: _, ...untimed } = session
    const read = commandsFromSessionEvent({ ...untimed, ...event }, options)
    expect(read).toEqual({ commands: [{ ...command, ...filled }], diagnostics: [] })
    // With the time it is known when it is sent again.
    const ids = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'].map(
      (timestamp) => commandsFromSessionEvent({ ...untimed, ...event, timestamp }).commands[0]?.commandId,
    )
    expect(ids).toEqual([ids[0], ids[0], expect.not.stringMatching(`^${ids[0]}$`)])
  })

  it.each<[event: object, diagnostic: object]>([
    [
      { event: 'user.response', content: { approved: true } },
      { code: 'invalid-event', path: '/step_id' },
    ],
    [
      { event: 'user.response', step_id: 'i', content: 7 },
      { code: 'invalid-event', path: '/content' },
    ],
    [
      { event: 'user.waves', content: {} },
      { code: 'dropped:user.waves', path: '/event' },
    ],
  ])('reports %j', (event, diagnostic) => {
    const read = commandsFromSessionEvent({ ...session, ...event }, options)
    expect(read).toMatchObject({ commands: [], diagnostics: [diagnostic] })
  })

  it('resumes after a number if that is all it has', () => {
    const content = { signed_state: 's', last_seq: 7 }
    const metadata = { offline_duration_ms: 1, state_version: '1' }
    const event = { ...session, event: 'user.reconnect_with_state', content, metadata }
    expect(commandsFromSessionEvent(event, options).commands).toMatchObject([{ lastEventId: '7' }])
  })

  it('reads the answer to a question that the writer asked', () => {
    const ledger = run(commandLedger(anyone))
    const context = { contextId: 'ctx-1', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
    const toolCall = { id: 'c', function: { name: 'book', arguments: '{"n":1}' } }
    const created = { ...context, kind: 'task-created', initiator: 'user' } as const
    const ask = {
      ...context,
      kind: 'input-required',
      inputId: 'i',
      inputType: 'tool-execution',
      prompt: '?',
      metadata: { toolCall },
    } as const
    ledger.push({ type: 'event', event: ask })
    const events: ContextAnyEvent[] = [created, { ...context, kind: 'task-status', status: 'working' }, ask]
    const { push } = run(toSessionEvents({ sessionId: 'ctx-1' }))
    const question = events
      .flatMap((event) => [...push(event)])
      .find(({ event }) => event === 'agent.user_confirm')
    const stepId = (question as unknown as { step_id: string }).step_id
    const content = { approved: true, data: { n: 2 } }
    const now = () => 0
    const answer = createSessionEvent('user.response', content, undefined, {
      now,
      session_id: 'ctx-1',
      step_id: stepId,
    })
    const read = commandsFromSessionEvent(answer, { ...options, requests: openRequests(ledger.state) })
    expect(read.commands).toMatchObject([{ responses: [{ inputId: 'i', value: { arguments: { n: 2 } } }] }])
  })

  it('gives valid commands or a diagnostic for any value, and never throws', () => {
    const known = fc.oneof(...sessionClientEventNames.map((name) => accepted(sessionEventSchemas[name])))
    fc.assert(
      fc.property(fc.oneof(json, known), (value) => {
        const { commands, diagnostics } = commandsFromSessionEvent(value, options)
        for (const command of commands) expect(decodeCommand(command).status).toBe('known')
        expect(commands.length + diagnostics.length).toBe(1)
      }),
      { numRuns: runs(300) },
    )
  })
})
