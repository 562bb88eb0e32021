// A request that a client does not see has no part in what the ids of its answers name.
import { commandsFromRunAgentInput } from 'turnstream/ag-ui'
import { commandsFromChatRequest } from 'turnstream/ai-sdk'
import { describe, expect, it } from 'vitest'
import { twoTasks } from '../../support/two-tasks.ts'

const asks = {
  input: (taskId: string, label: object) => ({
    ...{ kind: 'input-required', inputId: 'x', inputType: 'tool-execution', prompt: 'Run it?' },
    metadata: { toolCall: { id: 'k', function: { name: `tool-${taskId}`, arguments: '{}' } }, ...label },
  }),
  auth: (_: string, label: object) => ({
    ...{ kind: 'auth-required', authId: 'x', authType: 'oauth2', prompt: 'Log in.', metadata: label },
  }),
}
type Type = keyof typeof asks

/** The open requests: a visible one and, unless `null`, one before it that only operators see. */
function asking(hidden: Type | null, shown: Type) {
  const tasks = twoTasks(['a', 'b'])
  if (hidden !== null) tasks.emit('a', asks[hidden]('a', { audience: ['operator'] }))
  tasks.emit('b', asks[shown]('b', {}))
  return tasks
}

const now = () => 0
const types: readonly Type[] = ['input', 'auth']
const pairs = types.flatMap((hidden) => types.map((shown) => [hidden, shown] as const))

describe.each(pairs)('a hidden request for %s before a visible one for %s', (hidden, shown) => {
  const [with_, without] = [asking(hidden, shown), asking(null, shown)]

  it('leaves the answers of AG-UI as they are', () => {
    const payload = shown === 'input' ? { approved: true } : undefined
    const resume = [{ interruptId: 'x', status: 'resolved', ...(payload && { payload }) }]
    const body = { threadId: 'ctx', runId: 'r', messages: [], resume }
    const read = commandsFromRunAgentInput(body, { requests: with_.requests(), now })
    expect(read).toEqual(commandsFromRunAgentInput(body, { requests: without.requests(), now }))
    const real = commandsFromRunAgentInput(body, { requests: with_.requests() })
    expect(real.commands.map((command) => with_.send(command)?.status)).toEqual(['accepted'])
  })

  it('leaves the answers of the AI SDK as they are', () => {
    const approval = { id: 'x', approved: true }
    const part = { type: 'tool-tool-b', toolCallId: 'k', state: 'approval-responded', input: {}, approval }
    const body = { id: 'ctx', messages: [{ id: 'm', role: 'assistant', parts: [part] }] }
    const read = commandsFromChatRequest(body, { requests: asking(hidden, shown).requests(), now })
    expect(read).toEqual(commandsFromChatRequest(body, { requests: without.requests(), now }))
    if (shown === 'input') expect(read.commands).toMatchObject([{ responses: [{ taskId: 'b' }] }])
  })
})
