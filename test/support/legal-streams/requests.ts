/** Moves of an agent: inputs and authentication. */
import { callDigest } from '../../../src/json/call-digest.ts'
import { type Bare, choose, type Move } from './agent.ts'

export const requireInput: Move = (agent, task, choice) => {
  const inputId = agent.id('input')
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
  const [ask] = choose(
    asks.map((one) => [one] as const),
    choice,
  )
  agent.emit(task, { ...ask, ...required }, choice)
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
