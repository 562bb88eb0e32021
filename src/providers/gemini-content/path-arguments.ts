/**
 * Arguments that arrive as values at JSON paths, written as JSON text. As long as the paths are in document order, the
 * text grows with every value. Values out of order wait for the end: the members of the arguments that they change are
 * then written again, and the last of two members with one name counts.
 */

import { parsePartialJson } from '../../json/partial/partial-json.ts'
import { MAX_ITEMS, MAX_LENGTH } from '../shared/state.ts'
import type { Segment } from './json-path.ts'

/** A value at a path. */
export interface PathValue {
  readonly path: readonly Segment[]
  readonly value: string | number | boolean | null
  /** Whether `value` is a piece of a text that continues. */
  readonly continues: boolean
}

/** An object or array whose end is not written. */
interface Container {
  /** Where it stands in the container around it. Empty: it is the whole. */
  readonly at: Segment
  readonly isArray: boolean
  /** The names of an object. */
  readonly names: readonly string[]
  /** How many values it has. */
  readonly count: number
}

/** A value that is out of order. */
interface LateValue extends Pick<PathValue, 'path' | 'value'> {
  /** Whether `value` follows the text at the path. */
  readonly isAppended: boolean
}

export interface PathArguments {
  /** Those whose end is not written, the outermost first. */
  readonly open: readonly Container[]
  /** The path of the text whose end is not written. `null`: there is none. */
  readonly textPath: readonly Segment[] | null
  /** The paths of further texts that continue: what follows is out of order. */
  readonly left: readonly (readonly Segment[])[]
  /** Values that are out of order. */
  readonly late: readonly LateValue[]
  readonly lateLength: number
  /** Whether a value could not be placed, so that the arguments cannot be completed. */
  readonly isBroken: boolean
}

export const noArguments: PathArguments = {
  open: [],
  textPath: null,
  left: [],
  late: [],
  lateLength: 0,
  isBroken: false,
}

/** Adds a value. Returns also the text to append. */
export function addValue(args: PathArguments, next: PathValue): [args: PathArguments, text: string] {
  if (args.isBroken) return [args, '']
  const { path, value, continues } = next
  const { open, textPath } = args
  const end = continues ? '' : '"'
  if (textPath !== null && isSamePath(textPath, path)) {
    if (typeof value !== 'string') return [{ ...args, isBroken: true }, '']
    return [{ ...args, textPath: continues ? path : null }, escaped(value) + end]
  }
  const isLeft = args.left.some((other) => isSamePath(other, path))
  if (isLeft || args.late.length > 0) return [addLate(args, next, isLeft), '']
  const depth = sharedDepth(open, path)
  if (!isNext(open[depth - 1], path.slice(Math.max(depth - 1, 0)))) return [addLate(args, next, false), '']
  const [containers, text] = place(args, path, depth)
  const written = typeof value === 'string' ? `"${escaped(value)}${end}` : JSON.stringify(value)
  const isOpen = typeof value === 'string' && continues
  const left = textPath === null ? args.left : [...args.left, textPath]
  const isBroken = left.length > MAX_LEFT
  return [{ ...args, open: containers, textPath: isOpen ? path : null, left, isBroken }, text + written]
}

/**
 * The text that completes the arguments; `undefined` if they cannot be completed, as when a text did not end.
 *
 * @param written - The text so far.
 */
export function endOfArguments(args: PathArguments, written: string): string | undefined {
  const { open, textPath, left, late, isBroken } = args
  if (isBroken || textPath !== null || left.length > 0) return undefined
  const inner = closing(open.slice(1))
  const end = open.length === 0 ? '' : '}'
  if (late.length === 0) return inner + end
  const isEmpty = open.length === 0
  const members = changedMembers(isEmpty ? {} : parsePartialJson(`${written}${inner}}`).value, late)
  return members === undefined ? undefined : `${inner}${isEmpty ? '{' : ','}${members.join(',')}}`
}

/** Texts that continue at a time. */
const MAX_LEFT = 64

/** Adds a value that is out of order: the next piece of a text that was left, or a value of its own. */
function addLate(
  args: PathArguments,
  { path, value, continues }: PathValue,
  isAppended: boolean,
): PathArguments {
  const lateLength = args.lateLength + (typeof value === 'string' ? value.length : 0)
  const others = args.left.filter((other) => !isSamePath(other, path))
  const left = continues ? [...others, path] : others
  const isPlaced = !isAppended || typeof value === 'string'
  const hasRoom = lateLength <= MAX_LENGTH && args.late.length < MAX_ITEMS && left.length <= MAX_LEFT
  if (!isPlaced || !hasRoom) return { ...args, isBroken: true }
  const last = args.late.at(-1)
  const late =
    isAppended && last !== undefined && isSamePath(last.path, path)
      ? [...args.late.slice(0, -1), { ...last, value: `${last.value}${value}` }]
      : [...args.late, { path, value, isAppended }]
  return { ...args, left, late, lateLength }
}

/** How many of the open containers a path goes through. */
function sharedDepth(open: readonly Container[], path: readonly Segment[]): number {
  let depth = Math.min(open.length, 1)
  while (depth > 0 && depth < open.length && depth < path.length && open[depth]?.at === path[depth - 1])
    depth++
  return depth
}

/** Whether the rest of a path can be written next in a container: it is new there. */
function isNext(container: Container | undefined, [first, ...rest]: readonly Segment[]): boolean {
  if (rest.some((segment) => typeof segment === 'number' && segment !== 0)) return false
  if (container === undefined) return typeof first === 'string'
  if (container.isArray) return first === container.count
  if (typeof first !== 'string' || container.names.length >= MAX_ITEMS) return false
  return !container.names.includes(first)
}

/** Ends the text and containers that a path leaves, and starts those it enters. */
function place(
  { open, textPath }: PathArguments,
  path: readonly Segment[],
  depth: number,
): [open: Container[], text: string] {
  let text = (textPath === null ? '' : '"') + closing(open.slice(depth))
  const containers = open.slice(0, depth)
  for (let at = Math.max(depth - 1, 0); at < path.length; at++) {
    const segment = path[at] as Segment
    const isArray = typeof segment === 'number'
    if (containers.length === at) {
      text += isArray ? '[' : '{'
      containers.push({ at: path[at - 1] ?? '', isArray, names: [], count: 0 })
    }
    const { at: place, names, count } = containers[at] as Container
    text += (count === 0 ? '' : ',') + (isArray ? '' : `${JSON.stringify(segment)}:`)
    containers[at] = {
      at: place,
      isArray,
      names: isArray ? names : [...names, segment],
      count: count + 1,
    }
  }
  return [containers, text]
}

function closing(open: readonly Container[]): string {
  return open.map(({ isArray }) => (isArray ? ']' : '}')).reduceRight((text, end) => text + end, '')
}

function escaped(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}

function isSamePath(a: readonly Segment[], b: readonly Segment[]): boolean {
  return a.length === b.length && a.every((segment, at) => segment === b[at])
}

/** The members that late values change, as JSON text; `undefined` if a value has no place. */
function changedMembers(root: unknown, late: readonly LateValue[]): string[] | undefined {
  const names = new Set<string>()
  let rest = late
  // An item of an array may come before those that it follows.
  while (rest.length > 0) {
    const waiting = rest.filter((one) => !setValue(root, one))
    if (waiting.length === rest.length) return undefined
    rest = waiting
  }
  for (const { path } of late) names.add(path[0] as string)
  return [...names].map((name) => `${JSON.stringify(name)}:${JSON.stringify(ownValue(root, name))}`)
}

/** Sets a value in a value of our own. Returns whether there is a place for it. */
function setValue(root: unknown, { path, value, isAppended }: LateValue): boolean {
  let container = root
  for (const [at, segment] of path.entries()) {
    if (!isPlace(container, segment)) return false
    const isLast = at === path.length - 1
    const inner = ownValue(container, segment)
    // The text may wait for an item that it follows.
    if (isLast && isAppended && typeof inner !== 'string') return false
    const child =
      typeof inner === 'object' && inner !== null ? inner : typeof path[at + 1] === 'number' ? [] : {}
    Object.defineProperty(container, segment, {
      value: isLast ? (isAppended ? `${inner}${value}` : value) : child,
      writable: true,
      enumerable: true,
      configurable: true,
    })
    container = child
  }
  return true
}

function isPlace(container: unknown, segment: Segment): container is object {
  if (Array.isArray(container)) return typeof segment === 'number' && segment <= container.length
  return typeof container === 'object' && container !== null && typeof segment === 'string'
}

function ownValue(container: unknown, segment: Segment): unknown {
  return Object.getOwnPropertyDescriptor(container, segment)?.value
}
