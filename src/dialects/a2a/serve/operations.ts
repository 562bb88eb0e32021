/** What A2A clients ask for. */

import { createCommand } from '../../../commands/create.ts'
import { derivedId, type ReadCommandsOptions } from '../../../commands/wires/command-reader.ts'
import type { Diagnostic } from '../../../core/machine.ts'
import { randomId } from '../../../core/random-id.ts'
import { isTaskEnd } from '../../../events/task-end.ts'
import type { ProtocolRequest } from '../../../server/handler/options.ts'
import { beginTask, faultIn } from '../../../server/protocol/begin-task.ts'
import { readTask, type TaskEvents } from '../../../server/protocol/read-task.ts'
import { type TaskOutputs, upToEnd } from '../../../server/protocol/write-task.ts'
import { isFields } from '../../../validation/predicates.ts'
import { fieldsOf, textIn } from '../../../validation/read-fields.ts'
import { commandsFromA2a } from '../commands/index.ts'
import { readExtension, toUpdateExtension } from '../wire/extension.ts'
import { parseItem } from '../wire/parse.ts'
import type { A2aEvent, A2aVersion } from '../wire/version.ts'
import { type RpcError, rpcCodes, rpcErrorOf } from './json-rpc.ts'
import { onWire, type TaskPlace, taskPlace } from './task-id.ts'
import { type A2aFormat, type A2aTaskWriter, taskWriter } from './task-writer.ts'

/** A method, as it is called. */
export interface Called {
  readonly request: ProtocolRequest
  readonly params: Readonly<Record<string, unknown>>
  readonly format: A2aFormat
  readonly onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined
}

/** The result of a method, or its items. */
export type Answer =
  | RpcError
  | { readonly result: unknown }
  | { readonly items: AsyncGenerator<unknown, unknown, undefined> }

const notCancelable: RpcError = { code: rpcCodes.notCancelable, message: 'The task has ended.' }
const noTask: RpcError = { code: rpcCodes.taskNotFound, message: 'There is no such task.' }

/** Takes a message, and answers with its task once that ends or waits, or with its items. */
export async function sendMessage(called: Called, streams: boolean): Promise<Answer> {
  const { request, params, format, onDiagnostic } = called
  const { sender } = request
  const message = isFields(params.message) ? params.message : undefined
  const messageId = textIn(message, 'messageId')
  const fault = faultIn({ params: ['fields', { message: ['fields', { messageId: 'id' }] }] }, { params })
  if (fault !== undefined || message === undefined) return fault === undefined ? noTask : rpcErrorOf(fault)
  const wireId = textIn(message, 'taskId') || undefined
  const place = wireId === undefined ? undefined : taskPlace(wireId)
  if (wireId !== undefined && place === undefined) return noTask
  const stated = textIn(message, 'contextId') || undefined
  if (place !== undefined && stated !== undefined && stated !== place.contextId)
    return { code: rpcCodes.params, message: 'Expected the contextId of the task.' }
  // The same for a message that is sent again.
  const own = derivedId('a2a', [sender.role, sender.id, messageId])?.replaceAll(':', '-')
  const contextId = place?.contextId ?? stated ?? own ?? randomId()
  const named = { ...message, contextId, taskId: place?.taskId }
  const read = (options: ReadCommandsOptions) => {
    const found = commandsFromA2a({ method: 'SendMessage', params: { ...params, message: named } }, options)
    const isAmbiguous = found.diagnostics.some(({ code }) => code === 'dropped:answer')
    return isAmbiguous ? { ...found, commands: [] } : found
  }
  const task = await beginTask(request, contextId, read)
  if ('code' in task) return rpcErrorOf(task)
  const writer = taskWriter(format, onDiagnostic)
  const items = upToEnd(onWire(task, contextId), writer)
  if (streams) return { items }
  const { configuration } = params
  const { historyLength, ...how } = fieldsOf(configuration)
  const isImmediate = how.blocking === false || how.returnImmediately === true
  // Of one that is queued behind a task that waits for an answer, it is the task by now.
  for await (const item of items) if (isImmediate || isAsking(item)) break
  const written = writer.snapshot(historyLength)
  return written === undefined ? noTask : { result: format.version === '0.3' ? written : { task: written } }
}

/** Whether the task waits for a login: its stream stays open, but nothing is ready. */
function isAsking(item: unknown): boolean {
  const parsed = parseItem(item)
  if (parsed.type !== 'update' || parsed.update.type !== 'status') return false
  return parsed.update.status.state === 'auth-required'
}

/** The task by now. */
export async function getTask(called: Called): Promise<Answer> {
  const found = await findTask(called)
  if ('code' in found) return found
  const written = pastOf(found, called).snapshot(called.params.historyLength)
  return written === undefined ? noTask : { result: written }
}

/** Cancels a task, and answers with it once it has stopped. */
export async function cancelTask(called: Called): Promise<Answer> {
  const { request, params } = called
  const found = await findTask(called)
  if ('code' in found) return found
  const { contextId, taskId, stream, task } = found
  if (hasEnded(found)) return notCancelable
  const command = createCommand({ kind: 'task.cancel', contextId, taskId })
  const { receipt } = await request.submit(stream, command)
  const [result] = receipt?.results ?? []
  if (result?.status === 'ended') return notCancelable
  if (result === undefined || result.status === 'unknown-task') return noTask
  const writer = taskWriter(called.format, called.onDiagnostic)
  for await (const _ of upToEnd(fromNow(task, contextId), writer));
  const written = writer.snapshot(params.historyLength)
  return written === undefined ? noTask : { result: written }
}

/** The task by now, and its items from then on. A task that waits is waited for: somebody else may answer it. */
export async function subscribe(called: Called): Promise<Answer> {
  const { format, onDiagnostic, params } = called
  const found = await findTask(called)
  if ('code' in found) return found
  const written = pastOf(found, called).snapshot(params.historyLength)
  if (written === undefined) return noTask
  const { contextId, task } = found
  const isOver = hasEnded(found)
  if (isOver && format.version === '1.0')
    return { code: rpcCodes.unsupported, message: 'The task has ended.' }
  const first = format.version === '0.3' ? written : { task: written }
  const later = isOver ? undefined : upToEnd(fromNow(task, contextId), taskWriter(format, onDiagnostic))
  return { items: continued(first, later, format.version) }
}

async function* continued(
  first: unknown,
  later: TaskOutputs<A2aEvent> | undefined,
  version: A2aVersion,
): AsyncGenerator<unknown, void, undefined> {
  yield first
  for await (const item of later ?? []) yield asUpdate(item, version)
}

/** A task as the update of its status: clients take one task from a stream, and it has gone on since. */
function asUpdate(item: A2aEvent, version: A2aVersion): unknown {
  const task = 'task' in item ? item.task : 'kind' in item && item.kind === 'task' ? item : undefined
  if (task === undefined) return item
  const { id: taskId, contextId, status } = task
  const carried = readExtension(task.metadata)
  const metadata = carried && toUpdateExtension(carried.first, carried.events)
  const update = { taskId, contextId, status, ...(metadata && { metadata }) }
  return version === '0.3' ? { kind: 'status-update', ...update, final: false } : { statusUpdate: update }
}

/** A task of which only what comes is of interest. */
function fromNow(task: TaskEvents, contextId: string): TaskEvents {
  return { ...onWire(task, contextId), skipped: task.past.length }
}

interface Found extends TaskPlace {
  readonly stream: NonNullable<Awaited<ReturnType<ProtocolRequest['open']>>>
  readonly task: TaskEvents
}

function hasEnded({ taskId, task }: Found): boolean {
  return task.past.some((event) => event.taskId === taskId && isTaskEnd(event))
}

/** The task that a request names, if its sender has it. */
async function findTask({ request, params }: Called): Promise<Found | RpcError> {
  const fault = faultIn({ params: ['fields', { id: 'id' }] }, { params })
  if (fault !== undefined) return rpcErrorOf(fault)
  const place = taskPlace(textIn(params, 'id') ?? '')
  const stream = place && (await request.open(place.contextId, { create: false }))
  if (place === undefined || stream === undefined) return noTask
  const task = await readTask(stream.log, { taskId: place.taskId }, request.signal)
  return task === undefined || task.past.length === 0 ? noTask : { ...place, stream, task }
}

/** A writer that has written what is there by now. */
function pastOf({ contextId, task }: Found, { format, onDiagnostic }: Called): A2aTaskWriter {
  const writer = taskWriter(format, onDiagnostic)
  for (const event of onWire(task, contextId).past) writer.push(event)
  return writer
}
