/** Alternative places of fields, as real servers use them. They are read and never written. */

import type { Diagnostic } from '../../../core/machine.ts'
import { jsonText } from '../../../json/json-text.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import { parseDigits } from './coerce.ts'
import type { SessionEventName } from './names.ts'

/** Two JSON pointers: the alternative and the documented place. In each list those from `/content` come first. */
type Alias = readonly [from: string, to: string]

/** The place of content that is a bare string and has no alias of its own. */
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
 * Copies values from alternative places to the documented ones. Returns the event itself if it needs no
 * change. The original values stay in place: nothing is lost.
 *
 * @param hasObject - Whether the documented content of the event is an object, and bare content its `message`.
 */
export function applyAliases<E extends Fields>(
  name: string,
  event: E,
  hasObject: boolean,
): { event: E; renamed: Diagnostic[] } {
  const renamed: Diagnostic[] = []
  let result = event
  const own = aliasesOf(name)
  // Bare content first: the aliases after it may turn content into an object.
  const bare = own.filter(([from]) => from === '/content')
  const all = [...bare, ...(hasObject ? [bareText] : []), ...own.slice(bare.length)]
  for (const [from, to] of all) {
    const value = aliasValue(from, to, at(result, from))
    if (value === undefined || isPresent(at(result, to)) || !hasRoom(result, from, to)) continue
    result = put(result, to.slice(1).split('/'), value) as E
    renamed.push({ code: 'renamed', message: `Read ${to} from ${from}.`, path: to, detail: { from } })
  }
  return { event: result, renamed }
}

function aliasesOf(name: string): readonly Alias[] {
  return (Object.hasOwn(aliases, name) ? aliases[name as SessionEventName] : undefined) ?? []
}

/** Whether the value at a pointer only repeats a value that {@link applyAliases} copied from there. */
export function isRepeated(event: Fields & { readonly event: string }, from: string): boolean {
  const targets = aliasesOf(event.event).filter((alias) => alias[0] === from)
  return targets.some(([, to]) => {
    const value = at(event, from)
    const read = at(event, to)
    const text = jsonText(value)
    return read === value || (text !== undefined && jsonText(read) === text)
  })
}

/** The value an alias copies; `undefined` if there is none. */
function aliasValue(from: string, to: string, value: unknown): unknown {
  if (from !== '/content') return isPresent(value) ? value : undefined
  // Bare content is a string; for `last_seq` it is a number or a string of digits.
  if (!to.endsWith('/last_seq')) return typeof value === 'string' ? value : undefined
  return typeof value === 'number' ? value : parseDigits(value)
}

/** Whether a value can be copied to `to` without overwriting anything but the value itself. */
function hasRoom(event: Fields, from: string, to: string): boolean {
  const keys = to.slice(1).split('/')
  for (let length = keys.length - 1; length > 0; length--) {
    const parent = `/${keys.slice(0, length).join('/')}`
    if (parent === from) return true
    const there = at(event, parent)
    const fits = isIndex(keys[length] ?? '') ? Array.isArray(there) : isFields(there)
    if (isPresent(there) && !fits) return false
  }
  return true
}

/** Whether a value is neither missing nor `null`. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** The value at a JSON pointer without escapes. */
export function at(value: unknown, pointer: string): unknown {
  let found = value
  // Engines remember how a literal is split, but not a slice of it.
  const keys = pointer.split('/')
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] as string
    if (Array.isArray(found)) found = found[Number(key)]
    else found = isFields(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }
  return found
}

function isIndex(key: string): boolean {
  return /^\d+$/.test(key)
}

/** A copy with `value` at the path. Creates missing objects and arrays on the way. */
function put(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  if (isIndex(key)) {
    const list: unknown[] = Array.isArray(target) ? [...target] : []
    list[Number(key)] = put(list[Number(key)], rest, value)
    return list
  }
  const fields = fieldsOf(target)
  return { ...fields, [key]: put(fields[key], rest, value) }
}
