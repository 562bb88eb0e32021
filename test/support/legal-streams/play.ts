/** Plays a legal stream: random choices select among the moves that the protocol allows. */
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { isTerminalStatus } from '../../../src/events/task-status.ts'
import { Agent, type Choice, type LegalStreamOptions, type Move, newTask, type Task } from './agent.ts'
import { changeArtifact, writeData, writeFile, writeRows } from './artifacts.ts'
import {
  completeContent,
  completeOpenThought,
  completeThought,
  emitCustom,
  replaceContent,
  streamContent,
  streamThought,
} from './content.ts'
import { emitInternal } from './internal.ts'
import { mayReset, resetIteration } from './iterations.ts'
import { cancelInput, endAuth, receiveInput, requireAuth, requireInput } from './requests.ts'
import {
  beginTask,
  completeTask,
  createSubtask,
  endTask,
  failOrCancel,
  reportError,
  reportStatusOrError,
  setStatus,
} from './tasks.ts'
import {
  completeTool,
  cutOffArguments,
  isStreamed,
  reportProgress,
  startTool,
  streamArguments,
} from './tools.ts'

const MAX_TASKS = 4

/** The events of the root task and its subtasks. `last` decides how the tasks begin and end. */
export function play(
  choices: readonly Choice[],
  last: Choice,
  options: LegalStreamOptions,
): ContextAnyEvent[] {
  const { ended = true } = options
  const agent = new Agent(options)
  const root = newTask('task-1', undefined)
  agent.tasks.push(root)
  beginTask(agent, root, last)
  for (const choice of choices) step(agent, choice)
  if (ended) finish(agent, last)
  return agent.events
}

/** Performs one move of one task that has not ended. */
function step(agent: Agent, choice: Choice): void {
  const live = agent.tasks.filter((task) => !isTerminalStatus(task.status))
  const task = live[choice.task % live.length]
  if (task === undefined) return
  const moves = focused(agent, movesOf(agent, task))
  moves[choice.move % moves.length]?.(agent, task, choice)
}

/** Ends every task that has not ended, children first. */
function finish(agent: Agent, choice: Choice): void {
  for (const task of [...agent.tasks].reverse()) {
    if (task.status === 'announced') beginTask(agent, task, choice)
    if (!isTerminalStatus(task.status)) completeTask(agent, task, choice)
  }
}

/** The moves that the protocol allows a task. */
function movesOf(agent: Agent, task: Task): Move[] {
  if (task.status === 'announced') return [beginTask]
  const waiting = task.status.startsWith('waiting-')
  const moves: Move[] = [
    streamThought,
    completeThought,
    completeOpenThought,
    reportError,
    reportStatusOrError,
    emitCustom,
  ]
  if (!waiting) {
    moves.push(streamContent, streamContent, streamContent, completeContent, streamArguments)
    moves.push(startTool, startTool)
    if (agent.options.revisions === true && task.texts.length > 0) moves.push(replaceContent)
    if (mayReset(task)) moves.push(resetIteration)
  }
  if (task.writing.size > 0 && !waiting) moves.push(streamArguments)
  if (task.writing.size > 0 || [...task.asked].some(isStreamed)) moves.push(cutOffArguments)
  if (task.tools.size > 0) moves.push(reportProgress, completeTool, completeTool)
  moves.push(requireInput, requireAuth)
  if (task.inputs.size > 0) moves.push(receiveInput, receiveInput, cancelInput)
  if (task.auths.size > 0) moves.push(endAuth, endAuth)
  moves.push(writeFile, writeFile, writeData, writeRows, changeArtifact)
  moves.push(setStatus, setStatus)
  if (agent.options.internal !== false) moves.push(emitInternal)
  const isNested = agent.options.focus === 'subtasks'
  const max = isNested ? 2 * MAX_TASKS : MAX_TASKS
  if (agent.options.subtasks !== false && agent.tasks.length < max && !waiting) moves.push(createSubtask)
  if (mayEnd(agent, task)) moves.push(endTask)
  else if (isNested && task.parent !== undefined && haveBegun(agent, task)) moves.push(failOrCancel)
  return moves
}

const focuses: Readonly<Record<NonNullable<LegalStreamOptions['focus']>, readonly Move[]>> = {
  artifacts: [writeFile, writeData, writeRows, changeArtifact, createSubtask, endTask, setStatus, beginTask],
  texts: [
    ...[streamContent, completeContent, replaceContent, streamThought, completeThought, resetIteration],
    ...[startTool, endTask, beginTask],
  ],
  approvals: [
    ...[requireInput, receiveInput, receiveInput, cancelInput, streamArguments, cutOffArguments],
    ...[startTool, reportProgress, completeTool, setStatus, beginTask, endTask, failOrCancel],
  ],
  subtasks: [
    ...[createSubtask, beginTask, endTask, failOrCancel, setStatus, requireInput, receiveInput],
    ...[streamContent, streamThought, streamArguments, startTool],
  ],
}

/** The moves that the streams are about. */
function focused({ options: { focus } }: Agent, moves: readonly Move[]): readonly Move[] {
  const few = focus === undefined ? moves : moves.filter((move) => focuses[focus].includes(move))
  return few.length === 0 ? moves : few
}

function mayEnd(agent: Agent, task: Task): boolean {
  return agent.tasks.every((other) => other.parent !== task || isTerminalStatus(other.status))
}

/** Whether all subtasks of a task have begun. */
function haveBegun(agent: Agent, task: Task): boolean {
  return agent.tasks.every((other) => other.parent !== task || other.status !== 'announced')
}
