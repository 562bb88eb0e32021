/** Moves of an agent: inputs and authentication. */

import type { ToolCall } from '../../../src/events/input.ts'
import { callDigest } from '../../../src/json/call-digest.ts'
import { type Agent, type Bare, type Choice, choose, type Move, type Task } from './agent.ts'
import { emitArguments } from './tools.ts'

export const requireInput: Move = (agent, task, choice) => {
  const asked =
    agent.options.focus === 'approvals' && choice.number % 3 > 0 ? askedCall(agent, task, choice) : undefined
  const inputId = asked === undefined ? agent.id('input') : `${agent.id('approve')} ${asked.id}`
  const requireUser = choice.number % 2 === 0
  task.inputs.set(inputId, { requireUser })
  const required = choice.number % 3 === 2 ? {} : { requireUser }
  const asks: Bare<'input-required'>[] = [
    { kind: 'input-required', inputId, inputType: 'clarification', prompt: choice.text },
    {
      kind: 'input-required',
      inputId,
      inputType: 'confirmation',
      prompt: choice.text,
      metadata: { urgency: 'high' },
    },
    {
      kind: 'input-required',
      inputId,
      inputType: 'selection',
      prompt: choice.text,
      options: ['one', choice.json, null],
      metadata: { timeout: 300 },
    },
    {
      kind: 'input-required',
      inputId,
      inputType: 'tool-execution',
      prompt: choice.text,
      schema: { type: 'object', ...choice.json },
      metadata: {
        toolCall: { id: agent.id('call'), function: { name: 'get_profile', arguments: '{}' } },
        ...(choice.flag && { provider: 'client' }),
      },
    },
    { kind: 'input-required', inputId, inputType: 'custom', prompt: choice.text, metadata: choice.json },
  ]
  if (Object.keys(required).length === 0) task.inputs.set(inputId, { requireUser: false })
  const [ask] =
    asked === undefined
      ? choose(
          asks.map((one) => [one] as const),
          choice,
        )
      : [approvalOf(inputId, asked, choice)]
  agent.emit(task, { ...ask, ...required }, choice)
}

/** A call to ask about: one that is being written, one that was asked about before, or a new one. */
function askedCall(agent: Agent, task: Task, choice: Choice): ToolCall {
  const [written] = task.writing
  const [known] = [...(written === undefined ? [] : [written]), ...task.asked].slice(choice.flag ? 0 : 1)
  if (known?.[1] !== undefined) {
    const [id, call] = known
    const { name, json } = call
    if (call.rest !== '') emitArguments(agent, task, id, call, call.rest, choice)
    task.writing.delete(id)
    task.asked.set(id, call)
    return { id, function: { name, arguments: JSON.stringify(json) } }
  }
  const [running] = choice.flag ? task.tools.keys() : []
  const id = known?.[0] ?? running ?? agent.id('call')
  if (!task.tools.has(id)) task.asked.set(id, undefined)
  return { id, function: { name: 'search', arguments: JSON.stringify(agent.args(choice)) } }
}

function approvalOf(inputId: string, toolCall: ToolCall, choice: Choice): Bare<'input-required'> {
  const schema = { type: 'object', properties: { arguments: { type: 'object' } } }
  return {
    ...{ kind: 'input-required', inputId, inputType: 'tool-execution', prompt: choice.text },
    ...(choice.flag && { schema }),
    metadata: { toolCall },
  }
}

const digest = callDigest({ toolName: 'get_profile', arguments: {} })

export const receiveInput: Move = (agent, task, choice) => {
  const [inputId, { requireUser }] = choose([...task.inputs], choice)
  task.inputs.delete(inputId)
  const byUser = requireUser || choice.flag ? ({ providedBy: 'user', userId: 'user-1' } as const) : undefined
  const byAgent = { providedBy: 'agent', agentId: 'coordinator' } as const
  const outcome = choice.number % 2 === 0 ? {} : ({ outcome: choice.flag ? 'answered' : 'declined' } as const)
  const approved = choice.number % 3 === 0 ? { callDigest: digest } : {}
  const metadata = choice.flag ? { metadata: { ...choice.json, duration: choice.number, ...approved } } : {}
  agent.emit(
    task,
    { kind: 'input-received', inputId, ...(byUser ?? byAgent), ...outcome, ...metadata },
    choice,
  )
}

export const cancelInput: Move = (agent, task, choice) => {
  const [inputId] = choose([...task.inputs], choice)
  task.inputs.delete(inputId)
  agent.emit(task, { kind: 'input-canceled', inputId, reason: choice.flag ? 'expired' : 'withdrawn' }, choice)
}

export const requireAuth: Move = (agent, task, choice) => {
  const authId = agent.id('auth')
  task.auths.add(authId)
  const oauth = {
    authType: 'oauth2' as const,
    provider: 'example',
    scopes: ['read', choice.text] as string[],
    authUrl: 'https://login.example/authorize',
    metadata: { ...choice.json, expiresIn: 600 },
  }
  const how = choice.flag ? oauth : { authType: 'api-key' as const }
  agent.emit(task, { kind: 'auth-required', authId, ...how, prompt: choice.text }, choice)
}

export const endAuth: Move = (agent, task, choice) => {
  const [authId] = choose(
    [...task.auths].map((id) => [id] as const),
    choice,
  )
  task.auths.delete(authId)
  const metadata = { expiresAt: '2026-02-28T12:00:00Z' }
  if (choice.flag) {
    const when = choice.number % 2 === 0 ? { metadata } : {}
    agent.emit(task, { kind: 'auth-completed', authId, userId: 'user-1', ...when }, choice)
    return
  }
  const reason = (['denied', 'expired', 'failed'] as const)[choice.number % 3] ?? 'failed'
  const message = choice.number % 2 === 0 ? { message: choice.text } : {}
  agent.emit(task, { kind: 'auth-failed', authId, reason, ...message }, choice)
}
