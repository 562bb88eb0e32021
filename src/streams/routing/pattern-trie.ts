/**
 * A trie over patterns: finds those that match a topic without testing each one. Patterns with a common prefix
 * share nodes.
 *
 *     root ─ ctx-1 ─┬─ task-1 ─ prefix: [a]      ctx-1/task-1/**
 *                   └─ (any) ── exact: [b]       ctx-1/*
 */
import type { Pattern } from './pattern.ts'

interface Node<T> {
  /** Values that match if the topic ends at this node. */
  readonly exact: Set<T>
  /** Values that match whatever follows. */
  readonly prefix: Set<T>
  readonly children: Map<string, Node<T>>
  /** Child for any segment. */
  any: Node<T> | undefined
}

/** Values by pattern. Mutable. */
export interface PatternTrie<T> {
  add(pattern: Pattern, value: T): void
  /** Removes a value, and all nodes that are then empty. */
  remove(pattern: Pattern, value: T): void
  /** The values whose patterns match a topic. A value may occur more than once. */
  find(topic: readonly string[]): T[]
  /** Whether all nodes have been removed. */
  isEmpty(): boolean
}

export function createPatternTrie<T>(): PatternTrie<T> {
  const rooted = newNode<T>()
  const anywhere = newNode<T>()
  const rootOf = (pattern: Pattern): Node<T> => (pattern.anywhere ? anywhere : rooted)
  return {
    add(pattern, value) {
      let node = rootOf(pattern)
      for (const segment of pattern.segments) node = childOf(node, segment) ?? addChild(node, segment)
      valuesOf(node, pattern).add(value)
    },
    remove(pattern, value) {
      removeFrom(rootOf(pattern), pattern, 0, value)
    },
    find(topic) {
      const found: T[] = []
      collect(rooted, topic, 0, found)
      if (!isEmptyNode(anywhere))
        for (let at = 1; at < topic.length; at++) collect(anywhere, topic, at, found)
      return found
    },
    isEmpty: () => isEmptyNode(rooted) && isEmptyNode(anywhere),
  }
}

function newNode<T>(): Node<T> {
  return { exact: new Set(), prefix: new Set(), children: new Map(), any: undefined }
}

function valuesOf<T>(node: Node<T>, { rest }: Pattern): Set<T> {
  return rest ? node.prefix : node.exact
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

function removeFrom<T>(node: Node<T>, pattern: Pattern, depth: number, value: T): void {
  const segment = pattern.segments[depth]
  if (segment === undefined) {
    valuesOf(node, pattern).delete(value)
    return
  }
  const child = childOf(node, segment)
  if (child === undefined) return
  removeFrom(child, pattern, depth + 1, value)
  if (!isEmptyNode(child)) return
  if (segment === null) node.any = undefined
  else node.children.delete(segment)
}

function isEmptyNode({ exact, prefix, children, any }: Node<unknown>): boolean {
  return exact.size === 0 && prefix.size === 0 && children.size === 0 && any === undefined
}

function collect<T>(node: Node<T>, topic: readonly string[], at: number, found: T[]): void {
  for (const value of node.prefix) found.push(value)
  const segment = topic[at]
  if (segment === undefined) {
    for (const value of node.exact) found.push(value)
    return
  }
  const child = node.children.get(segment)
  if (child !== undefined) collect(child, topic, at + 1, found)
  if (node.any !== undefined) collect(node.any, topic, at + 1, found)
}
