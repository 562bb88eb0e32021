// Proves that what the user of an MCP client answers is the answer to the request that was asked, and nothing else.
import fc from 'fast-check'
import { createEmitter } from 'turnstream'
import { commandsFromMcpElicitation, toMcpElicitation } from 'turnstream/mcp'
import { memoryStore } from 'turnstream/server'
import { describe, expect, it } from 'vitest'
import { runs } from '../support/runs.ts'
import { json } from '../support/zod-arbitrary.ts'

const { emit } = createEmitter({ contextId: 'c', taskId: 't' })
const base = { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '?' } as const
const properties = { day: { type: 'string' } }
const form = emit({ ...base, schema: { type: 'object', properties } })
const text = emit(base)
const login = emit({
  kind: 'auth-required',
  authId: 'a',
  authType: 'oauth2',
  prompt: '?',
  authUrl: 'https://a.example/',
})
const call = { id: 'call-1', function: { name: 'book', arguments: '{"seats":2}' } }
const approval = emit({ ...base, inputType: 'tool-execution', metadata: { toolCall: call } })

describe('commandsFromMcpElicitation', () => {
  const response = (more: object): object => ({
    kind: 'input.respond',
    contextId: 'c',
    responses: [{ inputId: 'i', taskId: 't', ...more }],
  })
  const declined = (reason?: string): object => ({
    outcome: 'declined',
    ...(reason !== undefined && { reason }),
  })
  const accept = (content: unknown): object => ({ action: 'accept', content })
  const auth = { kind: 'auth.respond', authId: 'a', taskId: 't', outcome: 'denied' }

  it.each<[string, object, object, object | undefined, string[]]>([
    [
      'a form',
      form,
      accept({ day: 'Monday' }),
      response({ outcome: 'answered', value: { day: 'Monday' } }),
      [],
    ],
    ['a text', text, accept({ value: 'Monday' }), response({ outcome: 'answered', value: 'Monday' }), []],
    ['a text that is declined', text, { action: 'decline' }, response(declined()), []],
    [
      'what is canceled',
      form,
      { action: 'cancel' },
      response(declined('The user has not decided.')),
      ['lossy:action'],
    ],
    ['a call that is not approved', approval, accept({ value: false }), response(declined()), []],
    ['no content', form, { action: 'accept' }, undefined, ['invalid-event']],
    ['content of another form', text, accept({ day: 'Monday' }), undefined, ['invalid-event']],
    ['another action', text, { action: 'approve', content: { value: 1 } }, undefined, ['invalid-event']],
    ['a page that is opened', login, { action: 'accept' }, undefined, ['dropped:elicitation/create']],
    ['a page that is not opened', login, { action: 'decline' }, auth, []],
    [
      'a page that is closed',
      login,
      { action: 'cancel' },
      { ...auth, message: 'The user has not decided.' },
      ['lossy:action'],
    ],
  ])('reads %s', (_, asked, result, command, codes) => {
    const { commands, diagnostics } = commandsFromMcpElicitation(result, asked as typeof form)
    expect(commands).toMatchObject(command === undefined ? [] : [command])
    expect(diagnostics.map(({ code }) => code)).toEqual(codes)
  })

  it('reports or reads any value, and never throws', () => {
    const result = fc.oneof(
      json,
      fc.record({ action: fc.constantFrom('accept', 'decline', 'cancel'), content: json }),
    )
    fc.assert(
      fc.property(result, fc.constantFrom(form, text, login, approval), (value, asked) => {
        const { commands, diagnostics } = commandsFromMcpElicitation(value, asked)
        expect(commands.length + diagnostics.length).toBeGreaterThan(0)
        const isAccepted = (value as { action?: unknown } | null)?.action === 'accept'
        if (!isAccepted) expect(JSON.stringify(commands)).not.toMatch(/"outcome":"(?:answered|completed)"/)
      }),
      { numRuns: runs(300) },
    )
  })

  it('approves the call that the client has shown, once', async () => {
    const store = memoryStore()
    const stream = await store.open({ owner: 'ada', contextId: 'c' })
    const started: unknown[] = []
    const ids = { contextId: 'c', taskId: 't' }
    const running = stream.run(ids, async function* () {
      const wanted = { toolCallId: 'call-1', toolName: 'book', arguments: '{"seats":2}' }
      const asking = stream.approve([wanted], ids)
      for (;;) {
        const { done, value } = await asking.next()
        if (done) return started.push(value[0]?.status)
        yield value
        if (value.kind !== 'input-required') continue
        const event = emit(value)
        expect(toMcpElicitation(event).params.message).toBe('Run book?\n\nbook {"seats":2}')
        const [command] = commandsFromMcpElicitation(
          { action: 'accept', content: { value: true } },
          event,
        ).commands
        setTimeout(async () => {
          const statuses = []
          for (let i = 0; i < 2; i++)
            statuses.push((await stream.submit(command, { role: 'user', id: 'ada' })).status)
          started.push(...statuses)
        })
      }
    })
    await running
    await expect.poll(() => started).toHaveLength(3)
    expect(started.sort()).toEqual(['accepted', 'approved', 'repeated'])
    await store.close()
  })
})
