/**
 * Finding the patterns a topic fits without looking at all of them: patterns that begin alike share
 * the way.
 *
 *     root ─ ctx-1 ─┬─ task-1 ─ rest: [a]      ctx-1/task-1/**
 *                   └─ (any) ── here: [b]      ctx-1/*
 */
import type { Pattern } from './pattern.ts'

interface Node<T> {
  /** What fits when the topic ends here. */
  readonly here: Set<T>
  /** What fits from here on, whatever follows. */
  readonly rest: Set<T>
  readonly children: Map<string, Node<T>>
  any: Node<T> | undefined
}

/** Things that are found by patterns. Mutable. */
export interface Trie<T> {
  add(pattern: Pattern, thing: T): void
  /** Takes a thing away, and all nodes that only it needed. */
  remove(pattern: Pattern, thing: T): void
  /** The things whose patterns the topic fits; a thing may come more than once. */
  find(topic: readonly string[]): T[]
  /** Whether nothing is left of what was added. */
  isEmpty(): boolean
}

export function createTrie<T>(): Trie<T> {
  const rooted = newNode<T>()
  const anywhere = newNode<T>()
  const rootOf = (pattern: Pattern): Node<T> => (pattern.anywhere ? anywhere : rooted)
  return {
    add(pattern, thing) {
      let node = rootOf(pattern)
      for (const segment of pattern.segments) node = childOf(node, segment) ?? addChild(node, segment)
      leafOf(node, pattern).add(thing)
    },
    remove(pattern, thing) {
      removeFrom(rootOf(pattern), pattern, 0, thing)
    },
    find(topic) {
      const found: T[] = []
      collect(rooted, topic, 0, found)
      if (!isBare(anywhere)) for (let at = 1; at < topic.length; at++) collect(anywhere, topic, at, found)
      return found
    },
    isEmpty: () => isBare(rooted) && isBare(anywhere),
  }
}

function newNode<T>(): Node<T> {
  return { here: new Set(), rest: new Set(), children: new Map(), any: undefined }
}

function leafOf<T>(node: Node<T>, { rest }: Pattern): Set<T> {
  return rest ? node.rest : node.here
}

function childOf<T>(node: Node<T>, segment: string | null): Node<T> | undefined {
  return segment === null ? node.any : node.children.get(segment)
}

function addChild<T>(node: Node<T>, segment: string | null): Node<T> {
  const child = newNode<T>()
  if (segment === null) node.any = child
  else node.children.set(segment, child)
  return child
}

function removeFrom<T>(node: Node<T>, pattern: Pattern, depth: number, thing: T): void {
  const segment = pattern.segments[depth]
  if (segment === undefined) {
    leafOf(node, pattern).delete(thing)
    return
  }
  const child = childOf(node, segment)
  if (child === undefined) return
  removeFrom(child, pattern, depth + 1, thing)
  if (!isBare(child)) return
  if (segment === null) node.any = undefined
  else node.children.delete(segment)
}

function isBare({ here, rest, children, any }: Node<unknown>): boolean {
  return here.size === 0 && rest.size === 0 && children.size === 0 && any === undefined
}

function collect<T>(node: Node<T>, topic: readonly string[], at: number, found: T[]): void {
  for (const thing of node.rest) found.push(thing)
  const segment = topic[at]
  if (segment === undefined) {
    for (const thing of node.here) found.push(thing)
    return
  }
  const child = node.children.get(segment)
  if (child !== undefined) collect(child, topic, at + 1, found)
  if (node.any !== undefined) collect(node.any, topic, at + 1, found)
}
