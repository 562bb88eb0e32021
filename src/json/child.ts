/** Changing one child of an array or object, and reverting it. */

import { setMember } from '../core/mutable.ts'
import type { Extent } from './extent.ts'
import { type ExtentChange, extentOf, nameSize } from './extent.ts'
import { arrayIndex, valueAt } from './value.ts'

/** An array or object. */
export type Container = unknown[] | Record<string, unknown>

/** A change of one child. */
export type Edit = { readonly type: 'add' | 'replace'; readonly value: unknown } | { readonly type: 'remove' }

export type EditFailure = 'no-such-place' | 'too-deep' | 'too-large'

/** Changes one item of an array or one member of an object in place. */
export function changeChild(
  container: Container,
  token: string,
  edit: Edit,
  change: ExtentChange,
): EditFailure | undefined {
  const isInsertion = Array.isArray(container) && edit.type === 'add'
  const child = isInsertion ? undefined : valueAt(container, [token])
  if (child === undefined && edit.type !== 'add') return 'no-such-place'
  const extra = Array.isArray(container) ? 1 : nameSize(token)
  if (child !== undefined) change.remove(extentOf(child.value) as Extent, extra)
  if (edit.type !== 'remove') {
    const added = extentOf(edit.value)
    if (added === undefined) return 'too-deep'
    change.add(added, extra)
  }
  if (!Array.isArray(container)) {
    if (edit.type === 'remove') delete container[token]
    else setMember(container, token, edit.value)
    return undefined
  }
  if (isInsertion) {
    const index = token === '-' ? container.length : arrayIndex(token, container.length + 1)
    if (index === undefined) return 'no-such-place'
    if (index === container.length) container.push(edit.value)
    else container.splice(index, 0, edit.value)
  } else if (edit.type === 'remove') container.splice(Number(token), 1)
  else container[Number(token)] = edit.value
  return undefined
}

/**
 * What reverts a change of a child, before it is made.
 *
 * @param isOrdered - Whether a removed member need not return to its place among the others.
 */
export function undoOf(container: Container, token: string, edit: Edit, isOrdered: boolean): () => void {
  const child = valueAt(container, [token])
  if (Array.isArray(container)) {
    const at = token === '-' ? container.length : Number(token)
    if (edit.type === 'add') return () => container.splice(at, 1)
    if (edit.type === 'remove') return () => container.splice(at, 0, child?.value)
    return () => setChild(container, token, child?.value)
  }
  if (child === undefined) return () => delete container[token]
  const restore = (): void => setMember(container, token, child.value)
  if (edit.type !== 'remove' || isOrdered) return restore
  const names = Object.keys(container)
  return () => {
    restore()
    for (const name of names) moveToEnd(container, name)
  }
}

function moveToEnd(container: Record<string, unknown>, name: string): void {
  const value = container[name]
  delete container[name]
  setMember(container, name, value)
}

/** Replaces a child that exists. */
export function setChild(container: Container, token: string, value: unknown): void {
  if (Array.isArray(container)) container[Number(token)] = value
  else setMember(container, token, value)
}
