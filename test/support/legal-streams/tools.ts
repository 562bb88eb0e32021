/** Moves of an agent: tool calls. */
import { type Agent, type Choice, choose, type Move, type Task, type Writing } from './agent.ts'
import { beginItem, iterationField, newItemId } from './iterations.ts'

export const streamArguments: Move = (agent, task, choice) => {
  const [open] = task.writing
  const [toolCallId, call] = open ?? newWriting(agent, task, choice)
  task.writing.set(toolCallId, call)
  // Cut between characters.
  emitArguments(agent, task, toolCallId, call, [...call.rest].slice(0, choice.number).join(''), choice)
}

function newWriting(agent: Agent, task: Task, choice: Choice): [string, Writing] {
  const iteration = beginItem(task, choice)
  const json = agent.args(choice)
  return [
    newItemId(agent, task, 'call'),
    { name: 'search', iteration, json, next: 0, rest: JSON.stringify(json) },
  ]
}

export function emitArguments(
  agent: Agent,
  task: Task,
  toolCallId: string,
  call: Writing,
  delta: string,
  choice: Choice,
): void {
  const index = call.next++
  call.rest = call.rest.slice(delta.length)
  agent.emit(
    task,
    { kind: 'tool-arguments-delta', toolCallId, toolName: call.name, delta, index, ...iterationField(call) },
    choice,
  )
}

export const startTool: Move = (agent, task, choice) => {
  const [written] = [...task.writing, ...[...task.asked].filter(isStreamed)]
  const iteration = written === undefined ? beginItem(task, choice) : written[1].iteration
  const [asked] = task.asked.keys()
  const [toolCallId, call] = written ?? [asked ?? newItemId(agent, task, 'call'), undefined]
  task.begun = task.begun.filter((id) => id !== toolCallId)
  task.startedIteration = iteration
  if (call !== undefined && call.rest !== '') emitArguments(agent, task, toolCallId, call, call.rest, choice)
  const toolName = call?.name ?? (choice.flag ? 'search' : 'run_code')
  task.writing.delete(toolCallId)
  task.asked.delete(toolCallId)
  task.tools.set(toolCallId, { name: toolName, progress: 0, iteration })
  const metadata = {
    ...choice.json,
    provider: 'local',
    ...(task.tools.size > 1 && { concurrent: true }),
    ...(choice.number % 3 === 0 && { signature: choice.text, redacted: false }),
  }
  const args = structuredClone(call?.json ?? agent.args(choice))
  agent.emit(
    task,
    {
      kind: 'tool-start',
      toolCallId,
      toolName,
      arguments: args,
      ...iterationField({ iteration }),
      ...(choice.flag && { metadata }),
    },
    choice,
  )
}

/** Whether the arguments of a call were streamed. */
export function isStreamed(call: [string, Writing | undefined]): call is [string, Writing] {
  return call[1] !== undefined
}

/** Ends a call whose arguments are not complete, or that does not start. */
export const cutOffArguments: Move = (agent, task, choice) => {
  const calls = [...task.writing, ...[...task.asked].filter(isStreamed)]
  const [toolCallId, { name: toolName, iteration }] = choose(calls, choice)
  task.writing.delete(toolCallId)
  task.asked.delete(toolCallId)
  const error = choice.text || 'cut off'
  agent.emit(
    task,
    { kind: 'tool-complete', toolCallId, toolName, success: false, error, ...iterationField({ iteration }) },
    choice,
  )
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
  agent.emit(task, { kind: 'tool-progress', toolCallId, progress, ...iterationField(tool), ...more }, choice)
}

export const completeTool: Move = (agent, task, choice) => {
  const [toolCallId, { name: toolName, iteration }] = choose([...task.tools], choice)
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
    {
      kind: 'tool-complete',
      toolCallId,
      toolName,
      ...outcome,
      ...iterationField({ iteration }),
      ...(choice.flag && { metadata }),
    },
    choice,
  )
}
