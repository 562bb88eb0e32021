// Proves that no reader approves a call with an edit that it cannot read, or drops an answer that it does not know.

import fc from 'fast-check'
import { commandsFromA2a } from 'turnstream/a2a'
import { commandsFromRunAgentInput } from 'turnstream/ag-ui'
import { commandsFromChatRequest } from 'turnstream/ai-sdk'
import { callDigest, commandsFromAcpPermission, type ReadCommands } from 'turnstream/commands'
import { commandsFromSessionEvent } from 'turnstream/session'
import { describe, expect, it } from 'vitest'
import { executedCall } from '../../../src/commands/wires/command-reader.ts'
import type { OpenRequest } from '../../../src/streams/open-request.ts'
import { jsonValue } from '../../support/json.ts'

const call = { toolCallId: 'k', toolName: 'pay', arguments: '{"amount":1}' }
const request: OpenRequest = {
  ...{ type: 'input', contextId: 'c', taskId: 't', id: 'i', prompt: 'Pay?', requireUser: false },
  call: { ...call, digest: callDigest(call) },
}

const viaAgUi = (payload: unknown, requests?: readonly OpenRequest[]): ReadCommands =>
  commandsFromRunAgentInput(
    {
      ...{ threadId: 'c', runId: 'r', messages: [] },
      resume: [{ interruptId: 'i', status: 'resolved', payload }],
    },
    requests === undefined ? {} : { requests },
  )

const viaA2a = (data: unknown, requests?: readonly OpenRequest[]): ReadCommands =>
  commandsFromA2a(
    {
      method: 'message/send',
      params: { message: { messageId: 'm', taskId: 't', contextId: 'c', parts: [{ kind: 'data', data }] } },
    },
    requests === undefined ? {} : { requests },
  )

const viaSession = (data: unknown, requests?: readonly OpenRequest[]): ReadCommands =>
  commandsFromSessionEvent(
    {
      ...{ event: 'user.response', session_id: 'c', step_id: 'i', timestamp: '2026-01-01T00:00:00Z' },
      content: { approved: true, data },
    },
    requests === undefined ? {} : { requests },
  )

const part = {
  ...{ type: 'tool-pay', toolCallId: 'k', state: 'approval-responded', input: { amount: 1 } },
  approval: { id: 'i', approved: true },
}
const viaChat = (changed: object, requests?: readonly OpenRequest[]): ReadCommands =>
  commandsFromChatRequest(
    { id: 'c', messages: [{ id: 'a', role: 'assistant', parts: [{ ...part, ...changed }] }] },
    requests === undefined ? {} : { requests },
  )

const codes = ({ diagnostics }: ReadCommands): string[] => diagnostics.map(({ code }) => code)
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

it('asks about a call, which is to run only if the request says so', () => {
  expect(executedCall(request)).toBeUndefined()
  expect(executedCall({ ...request, isExecution: true })).toMatchObject({ id: 'k' })
})

describe.each([
  ['AG-UI', viaAgUi],
  ['A2A', viaA2a],
])('an approval of %s', (_, via) => {
  it.each([
    { editedArgs: '{"amount":1}' },
    { arguments: null },
    { args: { amount: 1 } },
    { arguments: { amount: 1 }, editedArgs: { amount: 2 } },
  ])('is invalid with %j', (edit) => {
    const read = via({ approved: true, ...edit }, [request])
    expect(read.commands).toEqual([])
    expect(codes(read)).toContain('invalid-event')
  })

  it('approves the call as requested only if it has no edit', () => {
    const names = fc.constantFrom('arguments', 'editedArgs', 'editedArguments', 'args', 'input')
    fc.assert(
      fc.property(names, jsonValue(), (name, edit) => {
        const [command] = via({ approved: true, [name]: edit }, [request]).commands
        const isRead = isObject(edit) && name !== 'args' && name !== 'input'
        const responses = [{ inputId: 'i', value: { arguments: edit } }]
        if (isRead) expect(command).toMatchObject({ kind: 'input.respond', responses })
        else expect(command).toBeUndefined()
      }),
    )
  })

  it('is invalid with an edit that is no object, also if the request is not known', () => {
    for (const requests of [[], undefined]) {
      const read = via({ approved: true, editedArgs: '{"amount":1}' }, requests)
      expect([read.commands, codes(read)]).toEqual([[], ['invalid-event']])
    }
  })

  it.each([true, false])('is left to the ledger if the request is not known: approved %s', (approved) => {
    for (const requests of [[], undefined]) {
      const { commands } = via({ approved }, requests)
      expect(commands).toMatchObject([{ kind: 'input.respond', responses: [{}] }])
      expect(commands[0]).not.toHaveProperty('responses.0.value')
    }
  })

  it.each(['reason', 'feedback'])('reports what a refusal cannot carry beside its %s', (name) => {
    const read = via({ approved: false, arguments: { amount: 1 }, [name]: 'No.' }, [request])
    expect(read.commands).toMatchObject([
      { responses: [{ inputId: 'i', outcome: 'declined', reason: 'No.' }] },
    ])
    expect(codes(read)).toEqual(['lossy:value'])
  })

  it('is invalid if it is neither true nor false', () => {
    const { commands, diagnostics } = via({ approved: 'false' }, [request])
    expect([commands, diagnostics.map(({ path }) => path?.endsWith('/approved'))]).toEqual([[], [true]])
  })
})

describe('an approval of the session protocol', () => {
  it('is invalid with arguments that are no object', () => {
    const read = viaSession('{"amount":1}', [request])
    expect([read.commands, codes(read)]).toEqual([[], ['invalid-event']])
  })
})

describe('an approval of the AI SDK', () => {
  it('is for the call of its part', () => {
    expect(viaChat({}, [request]).commands).toHaveLength(1)
    expect(viaChat({ type: 'dynamic-tool', toolName: 'pay' }, [request]).commands).toHaveLength(1)
  })

  it.each([{ type: 'tool-safe' }, { toolCallId: 'other' }, { type: 'dynamic-tool', toolName: 'safe' }])(
    'is invalid in a part with %j',
    (changed) => {
      const read = viaChat(changed, [request])
      expect([read.commands, codes(read)]).toEqual([[], ['invalid-event']])
    },
  )

  it('is bound to what the part shows if the request is not known', () => {
    const read = viaChat({}, [])
    expect(read.commands).toMatchObject([{ responses: [{ inputId: 'i', callDigest: callDigest(call) }] }])
    expect(read.diagnostics).toEqual([])
  })
})

describe('an approval of ACP', () => {
  it.each([{ outcome: 'rejected', optionId: 'allow' }, { optionId: 'allow' }])(
    'is invalid with the outcome %j',
    (outcome) => {
      const asked = { request, options: [{ optionId: 'allow', kind: 'allow_once' }] }
      const read = commandsFromAcpPermission({ outcome }, asked)
      expect([read.commands, codes(read)]).toEqual([[], ['invalid-event']])
    },
  )
})
