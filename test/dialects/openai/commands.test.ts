// Tests which commands a request of a chat client has.
import type { OpenRequest } from 'turnstream/streams'
import { expect, it } from 'vitest'
import { commandsFromChatCompletion } from '../../../src/dialects/openai/commands/chat-completion.ts'

const running: OpenRequest = {
  ...{ type: 'tool', contextId: 'c', taskId: 't', id: 'open', prompt: '', requireUser: false },
  call: { toolCallId: 'open', toolName: 'x', arguments: '{}', digest: '' },
}
const resultOf = (id: string): object => ({ role: 'tool', tool_call_id: id, content: '1' })
const ask = { role: 'assistant', content: null }

it('reads the results before a message of the user only of calls that are open', () => {
  const messages = [ask, resultOf('open'), resultOf('over'), { role: 'user', content: 'Hi' }]
  const names = { contextId: 'c', commandId: 'x' }
  const { commands } = commandsFromChatCompletion({ messages }, names, { requests: [running] })
  expect(commands).toMatchObject([
    { kind: 'tool.result', toolCallId: 'open' },
    { kind: 'task.send', input: 'Hi' },
  ])
})

it('drops a message of the user before the results of calls that are open', () => {
  const messages = [
    { ...ask, tool_calls: [{ id: 'open' }] },
    { role: 'user', content: 'Hi' },
  ]
  const names = { contextId: 'c', commandId: 'x' }
  const { commands, diagnostics } = commandsFromChatCompletion({ messages }, names, { requests: [running] })
  expect(commands).toEqual([])
  const message = 'Expected the results of the open calls open before a message of the user, got none.'
  expect(diagnostics).toMatchObject([{ code: 'dropped:message', message, path: '/messages' }])
})
