/** Where real servers put what the document has elsewhere. Read, never written. */

import type { Diagnostic } from '../../../core/machine.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import type { SessionEventName } from './names.ts'

/** From where to where, as JSON pointers. In each list those from `/content` come first. */
type Alias = readonly [from: string, to: string]

/** Where a bare text goes that stands for no one field. */
const bareText: Alias = ['/content', '/content/message']

const aliases: { readonly [N in SessionEventName]?: readonly Alias[] } = {
  'user.response': [['/content/confirmed', '/content/approved']],
  'user.ack': [['/content', '/content/last_seq']],
  'user.reconnect_with_state': [
    ['/signed_state', '/content/signed_state'],
    ['/last_seq', '/content/last_seq'],
    ['/last_event_id', '/content/last_event_id'],
  ],
  'plan.completed': [['/content/plan_summary', '/metadata/plan_summary']],
  'plan.validation_error': [['/content', '/content/error_message']],
  'solver.completed': [
    ['/content/task/id', '/content/task_results/0/task_id'],
    ['/content/result', '/content/task_results/0/result'],
  ],
  'solver.step_failed': [['/content', '/content/error_message']],
  'solver.cancelled': [['/content/task/id', '/metadata/task_id']],
  'solver.restarted': [['/content/task/id', '/metadata/task_id']],
  'agent.tool_call': [
    ['/content', '/content/tool_description'],
    ['/metadata/tool', '/content/tool_name'],
    ['/metadata/args', '/content/arguments'],
    ['/step_id', '/metadata/call_id'],
  ],
  'agent.tool_result': [
    ['/content', '/content/result'],
    ['/metadata/tool', '/content/tool_name'],
    ['/metadata/status', '/content/status'],
    ['/step_id', '/metadata/call_id'],
  ],
  'agent.final_answer': [['/content', '/content/answer']],
  'agent.state_exported': [
    ['/metadata/signed_state', '/content/signed_state'],
    ['/metadata/state_size', '/metadata/state_size_bytes'],
  ],
  'system.connected': [['/metadata/connection_id', '/connection_id']],
  'system.heartbeat': [['/metadata/uptime', '/metadata/server_uptime_seconds']],
  'aggregate.completed': [['/content/output', '/content/final_result']],
}

/**
 * The event with what it has elsewhere also where it belongs; the event itself when there is
 * nothing to do. What is copied also stays where it was: nothing is lost.
 *
 * @param hasObject - Whether the event's content is documented as an object.
 */
export function withAliases(
  name: SessionEventName,
  event: Fields,
  hasObject: boolean,
): { event: Fields; renamed: Diagnostic[] } {
  const renamed: Diagnostic[] = []
  let result = event
  const own = aliases[name] ?? []
  // Bare content first: what comes after may make an object of it.
  const bare = own.filter(([from]) => from === '/content')
  const all = [...bare, ...(hasObject ? [bareText] : []), ...own.slice(bare.length)]
  for (const [from, to] of all) {
    const value = aliasValue(from, to, at(result, from))
    if (value === undefined || present(at(result, to)) || !hasRoom(result, from, to)) continue
    result = put(result, to.slice(1).split('/'), value) as Fields
    renamed.push({ code: 'renamed', message: `Read from ${from}.`, path: to, detail: { from } })
  }
  return { event: result, renamed }
}

/** Whether what is at a pointer is only a repetition of what {@link withAliases} has read from there. */
export function isRepeated(event: Fields & { readonly event: string }, from: string): boolean {
  const value = at(event, from)
  const targets = aliases[event.event as SessionEventName]?.filter((alias) => alias[0] === from) ?? []
  return targets.some(([, to]) => {
    const read = at(event, to)
    return read === value || JSON.stringify(read) === JSON.stringify(value)
  })
}

/** What an alias moves; `undefined` when there is nothing for it to move. */
function aliasValue(from: string, to: string, value: unknown): unknown {
  if (from !== '/content') return present(value) ? value : undefined
  // Content that stands bare for its one field: a text, or with `last_seq` a number in either form.
  if (!to.endsWith('/last_seq')) return typeof value === 'string' ? value : undefined
  return typeof value === 'number' ? value : wholeNumber(value)
}

/** The number a text of digits writes. */
export function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

/** Whether `to` can be filled without overwriting anything but what is moved there. */
function hasRoom(event: Fields, from: string, to: string): boolean {
  const keys = to.slice(1).split('/')
  for (let length = keys.length - 1; length > 0; length--) {
    const parent = `/${keys.slice(0, length).join('/')}`
    if (parent === from) return true
    const there = at(event, parent)
    const fits = isIndex(keys[length] ?? '') ? Array.isArray(there) : isFields(there)
    if (present(there) && !fits) return false
  }
  return true
}

function present(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** The value at a JSON pointer of plain names. */
export function at(value: unknown, pointer: string): unknown {
  let found = value
  for (const key of pointer.slice(1).split('/')) {
    if (Array.isArray(found)) found = found[Number(key)]
    else found = isFields(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }
  return found
}

function isIndex(key: string): boolean {
  return /^\d+$/.test(key)
}

/** A copy with `value` at the path; objects and lists on the way are made where there are none. */
function put(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  if (isIndex(key)) {
    const list: unknown[] = Array.isArray(target) ? [...target] : []
    list[Number(key)] = put(list[Number(key)], rest, value)
    return list
  }
  const fields = isFields(target) ? target : {}
  return { ...fields, [key]: put(fields[key], rest, value) }
}
