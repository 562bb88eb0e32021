/** Reads runs: their start, their end, and what continues them. */

import { boundedGet, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { AgUiRunError, AgUiRunFinished, AgUiRunStarted, AgUiUsage } from '../wire/types/index.ts'
import { closeItems, endSubagents, endTask, forgetRun, type TaskEnd } from './close.ts'
import { emitWith, mergedMetadata } from './metadata.ts'
import { answerQuestions, closeQuestions } from './read-answer.ts'
import { reportAsked, withAsked } from './read-asked.ts'
import { askInterrupts, askPendingCalls, wait } from './read-interrupt.ts'
import { promptOf, requestOf } from './request.ts'
import type { RunState, RunWriter } from './state.ts'
import { beginTask, ROOT, tasksFrom } from './tasks.ts'

export function readRunStarted(writer: RunWriter, event: AgUiRunStarted): void {
  const { threadId, runId, protocolVersion, parentRunId, input, metadata } = event
  const { run } = writer.state
  if (run?.phase === 'active') {
    if (run.runId === runId) {
      writer.dropped(event.type, 'repeated', `Run ${describeValue(runId)} is active, got its start again.`)
      return
    }
    endUnfinishedRun(writer)
  }
  const isExtended = writer.options.extension === true && metadata?.turnstream !== undefined
  const next: RunState = { threadId, runId, phase: 'active', isExtended, questions: [], asked: [] }
  if (isExtended) {
    writer.state.run = next
    return
  }
  const request = requestOf(writer, event)
  if (input !== undefined && writer.options.request === undefined)
    writer.lossy('input', 'No event has the request that started the run.')
  const versions = {
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(parentRunId !== undefined && { parentRunId }),
  }
  const root = writer.item('tasks', ROOT)
  if (run?.phase === 'interrupted' && run.threadId === threadId && root !== undefined) {
    writer.state.run = next
    const open = answerQuestions(writer, run.questions, request)
    writer.state.run = { ...next, questions: open }
    emitWith(
      writer,
      { kind: 'task-status', status: 'working', metadata: { runId, ...versions } },
      root,
      mergedMetadata(writer, null, event),
    )
    return
  }
  const text = promptOf(request, run?.threadId !== threadId)
  startRun(
    writer,
    next,
    { ...versions, ...(text !== undefined && { input: text }) },
    mergedMetadata(writer, null, event),
  )
}

function startRun(writer: RunWriter, run: RunState, created: Metadata, stated: Metadata | null): void {
  const { threadId, runId } = run
  forgetRun(writer)
  const { state, options } = writer
  const contextId = options.contextId ?? (threadId === '' ? 'thread' : threadId)
  if (contextId !== state.contextId) {
    // Ids and versions are those of one context.
    state.ids = emptyBoundedMap
    state.versions = emptyBoundedMap
  }
  state.run = run
  state.contextId = contextId
  const ids = {
    ...(state.contextId !== threadId && { threadId }),
    ...((runId === '' || boundedGet(state.ids, `task:${runId}`) !== undefined) && { runId }),
  }
  beginTask(writer, ROOT, runId, undefined, { ...created, ...ids }, stated)
}

/** Starts a run whose `RUN_STARTED` is missing. Returns whether events may follow. */
export function requireRun(writer: RunWriter, event: { readonly type: string }): boolean {
  const { run } = writer.state
  if (run?.phase === 'active') return true
  if (run !== null) {
    writer.dropped(event.type, 'after-end', `Got ${event.type} after the end of the run.`)
    return false
  }
  writer.inferred('RUN_STARTED', `Expected RUN_STARTED first, got ${event.type}.`)
  const threadId = writer.options.contextId ?? 'thread'
  startRun(
    writer,
    { threadId, runId: 'run', phase: 'active', isExtended: false, questions: [], asked: [] },
    {},
    null,
  )
  return true
}

export function readRunFinished(writer: RunWriter, event: AgUiRunFinished): void {
  const { outcome, result } = event
  reportOtherIds(writer, event)
  const metadata = endMetadata(writer, event)
  const all = mergedMetadata(writer, metadata, result === undefined ? {} : { metadata: { result } })
  if (outcome?.type === 'cancelled') {
    endRun(writer, { status: 'canceled', metadata: all })
    return
  }
  closeAll(writer)
  const interrupts = withAsked(writer, outcome?.type === 'interrupt' ? outcome.interrupts : [])
  const pending = outcome?.type === 'success' ? outcome.pendingToolCallIds : undefined
  const questions =
    interrupts.length > 0 ? askInterrupts(writer, interrupts) : askPendingCalls(writer, pending)
  if (questions.length === 0) {
    if (outcome?.type === 'interrupt' && interrupts.length === 0)
      writer.inferred('task-status', 'Expected an interrupt, got none.')
    endRun(writer, { status: 'completed', result, metadata })
    return
  }
  const open = writer.state.run?.questions ?? []
  closeQuestions(
    writer,
    open.filter((each) => !questions.includes(each)),
    'withdrawn',
  )
  wait(writer, questions, all)
  setRun(writer, 'interrupted', questions)
}

export function readRunError(writer: RunWriter, event: AgUiRunError): void {
  const { code, message } = event
  const error = { code: code || 'provider_error', message, retry: 'terminal' } as const
  endRun(writer, { status: 'failed', error, metadata: endMetadata(writer, event) })
}

function endUnfinishedRun(writer: RunWriter): void {
  if (writer.state.run?.isExtended) return
  const message = 'The run ended without RUN_FINISHED or RUN_ERROR.'
  writer.inferred('task-status', message)
  const error = { code: 'protocol_violation', message, retry: 'terminal' } as const
  endRun(writer, { status: 'failed', error, metadata: null })
}

function endRun(writer: RunWriter, end: TaskEnd): void {
  reportAsked(writer)
  closeQuestions(writer, writer.state.run?.questions ?? [], 'task-ended')
  const below: TaskEnd =
    end.status === 'completed'
      ? { status: 'completed', metadata: null }
      : { status: 'canceled', metadata: null }
  // What is open in one that succeeds was closed before.
  setRun(writer, 'broken', [])
  endSubagents(writer, below)
  endTask(writer, ROOT, end)
  setRun(writer, 'ended', [])
  forgetRun(writer)
}

/** Closes what all tasks left open, but for calls whose results may come later. */
function closeAll(writer: RunWriter): void {
  for (const { key } of tasksFrom(writer, ROOT)) closeItems(writer, key, '', true)
}

function setRun(writer: RunWriter, phase: RunState['phase'], questions: RunState['questions']): void {
  const { run } = writer.state
  if (run !== null) writer.state.run = { ...run, phase, questions, asked: [] }
}

/** The metadata of the end of a run: that of the event, with the usage. */
function endMetadata(
  writer: RunWriter,
  { metadata, usage }: { metadata?: Metadata; usage?: AgUiUsage[] },
): Metadata | null {
  return mergedMetadata(writer, metadata ?? null, usage === undefined ? {} : { metadata: { usage } })
}

function reportOtherIds(writer: RunWriter, event: AgUiRunFinished): void {
  const { run } = writer.state
  for (const field of ['threadId', 'runId'] as const) {
    const expected = run?.[field]
    if (expected === undefined || expected === event[field]) continue
    const message = `Expected ${describeValue(expected)}, got ${describeValue(event[field])}.`
    writer.lossy(field, message, event[field])
  }
}
