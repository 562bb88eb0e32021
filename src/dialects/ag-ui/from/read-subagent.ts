/** Reads subagents. */

import { describeValue } from '../../../core/require.ts'
import { dropRepeated } from '../../engine/drop.ts'
import type { AgUiSubagentError, AgUiSubagentFinished, AgUiSubagentStarted } from '../wire/types/index.ts'
import { closeItems, endSubagents, endTask } from './close.ts'
import { mergedMetadata } from './metadata.ts'
import type { OpenTask, RunWriter } from './state.ts'
import { beginTask, ownerOf, ROOT, resumeTask } from './tasks.ts'

export function readSubagentStarted(writer: RunWriter, event: AgUiSubagentStarted): void {
  const { subagentRunId, name, description, metadata } = event
  const { parentSubagentRunId, parentToolCallId, parentMessageId } = event
  const key = ownerOf(event)
  const agent = name === '' ? {} : { agentId: name }
  const input = description === undefined ? {} : { input: description }
  const parents = {
    ...(parentToolCallId !== undefined && { parentToolCallId }),
    ...(parentMessageId !== undefined && { parentMessageId }),
  }
  const stated = mergedMetadata(writer, null, event)
  const known = writer.item('tasks', key)
  if (known?.phase === 'suspended') {
    resumeTask(writer, known, { ...agent, ...input, ...parents }, stated)
    return
  }
  if (known !== undefined) {
    dropRepeated(writer, event.type, subagentRunId)
    return
  }
  const named =
    parentSubagentRunId === undefined ? undefined : writer.item('tasks', `sub:${parentSubagentRunId}`)
  const parent = named !== undefined && named.phase !== 'ended' ? named : writer.item('tasks', ROOT)
  if (parentSubagentRunId !== undefined && parent !== named) {
    const message = `Expected a running subagent, got ${describeValue(parentSubagentRunId)}.`
    writer.lossy('parentSubagentRunId', message, parentSubagentRunId)
  }
  // The event before it repeats the name and the description: metadata of the sender goes first.
  const created = {
    ...(metadata?.agentId === undefined && agent),
    ...(metadata?.input === undefined && input),
    ...parents,
  }
  const announced = { prompt: description ?? '', ...agent }
  beginTask(writer, key, subagentRunId, parent, created, stated, announced)
}

export function readSubagentFinished(writer: RunWriter, event: AgUiSubagentFinished): void {
  const task = openSubagent(writer, event)
  if (task === undefined) return
  const { result, outcome } = event
  const metadata = mergedMetadata(writer, null, event)
  if (outcome?.type !== 'suspended') {
    endSubagents(writer, { status: 'completed', metadata: null }, task.key)
    endTask(writer, task.key, { status: 'completed', result, metadata })
    return
  }
  closeItems(writer, task.key, '', true)
  const { interruptIds = [] } = outcome
  const latest = writer.item('tasks', task.key) ?? task
  writer.setItem('tasks', task.key, { ...latest, phase: 'suspended', interruptIds })
  if (result === undefined && metadata === null) return
  const message = 'A subagent that is suspended has no event for its result and metadata.'
  writer.diagnostic('lossy:result', message, { detail: { result, metadata } })
}

export function readSubagentError(writer: RunWriter, event: AgUiSubagentError): void {
  const task = openSubagent(writer, event)
  if (task === undefined) return
  const { code, message } = event
  const error = { code: code || 'internal', message, retry: 'terminal' } as const
  endSubagents(writer, { status: 'canceled', metadata: null }, task.key)
  endTask(writer, task.key, { status: 'failed', error, metadata: mergedMetadata(writer, null, event) })
}

function openSubagent(
  writer: RunWriter,
  event: AgUiSubagentFinished | AgUiSubagentError,
): OpenTask | undefined {
  const task = writer.item('tasks', ownerOf(event))
  if (task !== undefined && task.phase !== 'ended') return task
  const message = `Subagent ${describeValue(event.subagentRunId)} is not running, got its end.`
  writer.dropped(event.type, 'not-started', message)
  return undefined
}
