/** Moves of an agent: tool calls. */
import { type Agent, type Choice, choose, type Move, type Task, type Writing } from './agent.ts'

export const streamArguments: Move = (agent, task, choice) => {
  const [open] = task.writing
  const [toolCallId, call] = open ?? [
    agent.id('call'),
    { name: 'search', json: choice.json, next: 0, rest: JSON.stringify(choice.json) },
  ]
  task.writing.set(toolCallId, call)
  // Cut between characters.
  emitArguments(agent, task, toolCallId, call, [...call.rest].slice(0, choice.number).join(''), choice)
}

function emitArguments(
  agent: Agent,
  task: Task,
  toolCallId: string,
  call: Writing,
  delta: string,
  choice: Choice,
): void {
  const index = call.next++
  call.rest = call.rest.slice(delta.length)
  agent.emit(task, { kind: 'tool-arguments-delta', toolCallId, toolName: call.name, delta, index }, choice)
}

export const startTool: Move = (agent, task, choice) => {
  const [written] = task.writing
  const [toolCallId, call] = written ?? [agent.id('call'), undefined]
  if (call !== undefined && call.rest !== '') emitArguments(agent, task, toolCallId, call, call.rest, choice)
  const toolName = call?.name ?? (choice.flag ? 'search' : 'run_code')
  task.writing.delete(toolCallId)
  task.tools.set(toolCallId, { name: toolName, progress: 0 })
  const metadata = {
    ...choice.json,
    provider: 'local',
    ...(task.tools.size > 1 && { concurrent: true }),
    ...(choice.number % 3 === 0 && { signature: choice.text, redacted: false }),
  }
  const args = structuredClone(call?.json ?? choice.json)
  agent.emit(
    task,
    { kind: 'tool-start', toolCallId, toolName, arguments: args, ...(choice.flag && { metadata }) },
    choice,
  )
}

/** Ends a call whose arguments are not complete. */
export const cutOffArguments: Move = (agent, task, choice) => {
  const [toolCallId, { name: toolName }] = choose([...task.writing], choice)
  task.writing.delete(toolCallId)
  const error = choice.text || 'cut off'
  agent.emit(task, { kind: 'tool-complete', toolCallId, toolName, success: false, error }, choice)
}

export const reportProgress: Move = (agent, task, choice) => {
  const [toolCallId, tool] = choose([...task.tools], choice)
  tool.progress = Math.min(1, tool.progress + choice.number / 200)
  const { progress } = tool
  const metadata = {
    step: choice.text,
    stepsCompleted: 1,
    stepsTotal: 2,
    remainingMs: choice.number,
    stream: 'stdout',
    chunk: choice.text,
  }
  const more = choice.flag ? { message: choice.text, metadata } : {}
  agent.emit(task, { kind: 'tool-progress', toolCallId, progress, ...more }, choice)
}

export const completeTool: Move = (agent, task, choice) => {
  const [toolCallId, { name: toolName }] = choose([...task.tools], choice)
  task.tools.delete(toolCallId)
  const outcome = choice.flag
    ? {
        success: true,
        ...(choice.number % 3 > 0 && { result: choice.number % 3 === 1 ? choice.json : null }),
      }
    : { success: false, error: choice.text || 'failed' }
  const metadata = { duration: choice.number, cached: choice.flag, retries: 0 }
  agent.emit(
    task,
    { kind: 'tool-complete', toolCallId, toolName, ...outcome, ...(choice.flag && { metadata }) },
    choice,
  )
}
