/** Moves of an agent: the lifecycle of a task, subtasks and errors. */
import type { TaskStatus } from '../../../src/events/task-status.ts'
import { isTerminalStatus } from '../../../src/events/task-status.ts'
import { type Agent, type Choice, type Move, newTask, type Task } from './agent.ts'
import { abandonWrites, completeWrites } from './artifacts.ts'
import { completeSegment, openSegments, usageOf } from './content.ts'
import { endAuth } from './requests.ts'
import { completeTool } from './tools.ts'

export function beginTask(agent: Agent, task: Task, choice: Choice): void {
  task.status = 'created'
  task.statesIteration = agent.options.revisions === true && choice.number % 2 === 1
  const initiator = task.parent === undefined && choice.flag ? 'user' : 'agent'
  const metadata = {
    ...choice.json,
    agentId: 'assistant',
    ...(choice.flag && { model: 'model-1', input: choice.text }),
  }
  agent.emit(task, { kind: 'task-created', initiator, ...(choice.number % 2 === 0 && { metadata }) }, choice)
}

export const setStatus: Move = (agent, task, choice) => {
  const open: { status: TaskStatus; blockedBy?: string }[] = [{ status: 'working' }]
  if (task.status === 'created' || task.status === 'submitted') open.push({ status: 'submitted' })
  for (const id of task.inputs.keys()) open.push({ status: 'waiting-input', blockedBy: id })
  for (const id of task.auths) open.push({ status: 'waiting-auth', blockedBy: id })
  for (const child of agent.tasks) {
    if (child.parent === task && !isTerminalStatus(child.status)) {
      open.push({ status: 'waiting-subtask', blockedBy: child.id })
    }
  }
  const { status, blockedBy } = open[choice.number % open.length] ?? { status: 'working' }
  task.status = status
  const metadata = { ...choice.json, ...(blockedBy !== undefined && { blockedBy }) }
  const message = choice.flag ? { message: choice.text } : {}
  agent.emit(task, { kind: 'task-status', status, ...message, ...(choice.flag && { metadata }) }, choice)
}

export const createSubtask: Move = (agent, task, choice) => {
  const child = newTask(agent.id('subtask'), task)
  agent.tasks.push(child)
  const agentId = choice.flag ? { agentId: 'analyst' } : {}
  agent.emit(task, { kind: 'subtask-created', subtaskId: child.id, ...agentId, prompt: choice.text }, choice)
}

export const reportError: Move = (agent, task, choice) => {
  const more = {
    retryAfterMs: choice.number,
    attempt: 1,
    maxAttempts: 3,
    scope: 'task',
    details: choice.json,
  } as const
  const error = {
    code: 'rate_limited',
    message: choice.text,
    retry: 'retrying',
    ...(choice.flag && more),
  } as const
  agent.emit(task, { kind: 'task-error', error }, choice)
}

export const reportStatusOrError: Move = (agent, task, choice) => {
  if (choice.flag) setStatus(agent, task, choice)
  else reportError(agent, task, choice)
}

export const endTask: Move = (agent, task, choice) => {
  if (choice.number % 3 === 0) completeTask(agent, task, choice)
  else failOrCancel(agent, task, choice)
}

/** Ends the task as failed or canceled, without closing anything. */
export function failOrCancel(agent: Agent, task: Task, choice: Choice): void {
  const status = choice.number % 3 === 1 ? 'failed' : 'canceled'
  const code = choice.flag ? 'tool_failed' : 'x-own'
  const error = { code, message: choice.text, retry: 'terminal', details: choice.json } as const
  task.status = status
  abandonWrites(task)
  const cause = status === 'failed' && choice.number % 2 === 0 ? { error } : {}
  const details = choice.flag
    ? { message: choice.text, metadata: { ...choice.json, reason: choice.text } }
    : {}
  agent.emit(task, { kind: 'task-status', status, ...cause, ...details }, choice)
}

/** Closes everything that is open, then ends the task as completed. */
export function completeTask(agent: Agent, task: Task, choice: Choice): void {
  while (task.tools.size > 0) completeTool(agent, task, choice)
  for (const inputId of task.inputs.keys()) {
    agent.emit(task, { kind: 'input-canceled', inputId, reason: 'task-ended' }, choice)
  }
  while (task.auths.size > 0) endAuth(agent, task, choice)
  for (const segment of openSegments(task)) completeSegment(agent, task, segment, choice)
  completeWrites(agent, task, choice)
  task.status = 'completed'
  const form = choice.number % 3
  if (form > 0) agent.emit(task, { kind: 'task-status', status: 'completed' }, choice)
  if (form === 1) return
  const joined = task.segments.map((segment) => segment.content).join('')
  const mayJoin = task.lastContent !== undefined && !task.hasReset && choice.number % 2 === 0
  const streamed = mayJoin ? joined : task.lastContent
  const own = streamed ?? (choice.flag && !task.hasReset ? agent.text({}, choice.text) : undefined)
  const content = task.hasReopened ? undefined : own
  const artifacts = [...task.artifacts].flatMap(([id, { committers }]) =>
    committers.has(task.id) ? [id] : [],
  )
  const metadata = {
    ...choice.json,
    duration: choice.number,
    iterations: 1,
    tokensUsed: 7,
    usage: usageOf(choice),
    finishReason: 'stop',
  }
  agent.emit(
    task,
    {
      kind: 'task-complete',
      ...(content !== undefined && { content }),
      ...(choice.flag && { artifacts, metadata }),
    },
    choice,
  )
}
