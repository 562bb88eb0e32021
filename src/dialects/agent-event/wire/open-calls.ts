/**
 * The calls without a result. An event belongs to the call with its id, or without an id to the newest open call of
 * its tool, as nested calls end from the inside out.
 *
 *     newest: tool ──▶ call ──older──▶ call ──older──▶ call        each also points to the newer one
 */

import {
  type BoundedMap,
  boundedDelete,
  boundedGet,
  boundedSet,
  boundedValues,
  emptyBoundedMap,
} from '../../../core/bounded-map/bounded-map.ts'
import { MAX_ITEMS } from '../../shared/limits.ts'

/** A call without a result. */
export interface OpenCall {
  /** Unique among the open calls: {@link keyOf} its id, or of its number. */
  readonly key: string
  readonly toolName: string
  /** The id that its events have. Omitted if they have none. */
  readonly statedId?: string
  /** Counts the calls of the stream, for their order. */
  readonly order: number
  /** The keys of the neighbours among the open calls of the tool. Omitted at the ends of the list. */
  readonly older?: string
  readonly newer?: string
}

export interface OpenCalls<C extends OpenCall> {
  readonly byKey: BoundedMap<C>
  /** The key of the newest open call of each tool. */
  readonly newest: BoundedMap<string>
  /** How often the calls that changed least recently were evicted. */
  readonly evictions: number
}

export const noOpenCalls: OpenCalls<never> = {
  byKey: emptyBoundedMap,
  newest: emptyBoundedMap,
  evictions: 0,
}

/** Reports on evictions in one step. */
export function reportEvictions<C extends OpenCall>(
  before: OpenCalls<C>,
  after: OpenCalls<C>,
  report: (code: string, message: string) => void,
): void {
  if (after.evictions === before.evictions) return
  report('state-evicted', `More than ${MAX_ITEMS} calls have no result; evicted the oldest ones.`)
}

/** The key of a call: of its id, or of its number if it has no id or one that is taken. */
export function keyOf(idOrNumber: string | number): string {
  return typeof idOrNumber === 'string' ? `=${idOrNumber}` : `#${idOrNumber}`
}

/** The open call of an event; `undefined` if none matches. */
export function findCall<C extends OpenCall>(
  calls: OpenCalls<C>,
  { toolName, toolCallId }: { readonly toolName?: string; readonly toolCallId?: string },
): C | undefined {
  const named = toolCallId === undefined ? undefined : boundedGet(calls.byKey, keyOf(toolCallId))
  if (named !== undefined && (toolName === undefined || named.toolName === toolName)) return named
  const newest = toolName === undefined ? undefined : newestCall(calls, toolName)
  return toolCallId === undefined || newest?.statedId === toolCallId ? newest : undefined
}

/** The newest open call of a tool. */
export function newestCall<C extends OpenCall>(calls: OpenCalls<C>, toolName: string): C | undefined {
  return neighbour(calls, boundedGet(calls.newest, toolName))
}

/** The open calls with another one. */
export function openCall<C extends OpenCall>(calls: OpenCalls<C>, call: C): OpenCalls<C> {
  const { key, toolName } = call
  const older = newestCall(calls, toolName)
  const rest = older === undefined ? calls : replaceCall(calls, { ...older, newer: key })
  return withNewest(
    replaceCall(rest, older === undefined ? call : { ...call, older: older.key }),
    toolName,
    key,
  )
}

/** The open calls with an open one replaced. */
export function replaceCall<C extends OpenCall>(
  { byKey, newest, evictions }: OpenCalls<C>,
  call: C,
): OpenCalls<C> {
  const { map, hasEvicted } = boundedSet(byKey, call.key, call, MAX_ITEMS)
  return { byKey: map, newest, evictions: hasEvicted ? evictions + 1 : evictions }
}

/** The open calls without one of them. */
export function closeCall<C extends OpenCall>(
  calls: OpenCalls<C>,
  { key, toolName }: OpenCall,
): OpenCalls<C> {
  const call = boundedGet(calls.byKey, key)
  const older = neighbour(calls, call?.older)
  const newer = neighbour(calls, call?.newer)
  let rest: OpenCalls<C> = { ...calls, byKey: boundedDelete(calls.byKey, key) }
  if (older !== undefined) rest = replaceCall(rest, linked(older, older.older, newer?.key))
  if (newer !== undefined) return replaceCall(rest, linked(newer, older?.key, newer.newer))
  if (older !== undefined) return withNewest(rest, toolName, older.key)
  return { ...rest, newest: boundedDelete(rest.newest, toolName) }
}

/** All open calls, oldest first. */
export function listCalls<C extends OpenCall>({ byKey }: OpenCalls<C>): readonly C[] {
  return [...boundedValues(byKey)].sort((a, b) => a.order - b.order)
}

function withNewest<C extends OpenCall>(
  { byKey, newest, evictions }: OpenCalls<C>,
  toolName: string,
  key: string,
): OpenCalls<C> {
  const { map, hasEvicted } = boundedSet(newest, toolName, key, MAX_ITEMS)
  return { byKey, newest: map, evictions: hasEvicted ? evictions + 1 : evictions }
}

function neighbour<C extends OpenCall>(calls: OpenCalls<C>, key: string | undefined): C | undefined {
  return key === undefined ? undefined : boundedGet(calls.byKey, key)
}

/** A call with other neighbours. */
function linked<C extends OpenCall>(call: C, older: string | undefined, newer: string | undefined): C {
  const { older: _, newer: __, ...rest } = call
  const ends = { ...(older !== undefined && { older }), ...(newer !== undefined && { newer }) }
  return { ...rest, ...ends } as unknown as C
}
