/** Merging the parts of an update into the slots of an artifact, as A2A defines it. */

import type { Mutable } from '../../../core/mutable.ts'
import type { Part } from '../wire/model.ts'
import { copySlot, isClosed, isPartOf, newSlot, partsAfter, type Slot, withParts } from './slot.ts'

/** The slots of an artifact. */
export interface Slots {
  readonly count: number
  /** The slot at a position. */
  readonly at: (position: number) => Slot | undefined
}

/** What an update does to one slot. */
export interface Change {
  readonly position: number
  /** The slot before; `undefined` if it is new, or replaces one of another type. */
  readonly before: Slot | undefined
  /** The slot with all its parts: a copy to change. */
  readonly after: Mutable<Slot>
  /** The parts that are new. All parts if they replace others. */
  readonly added: readonly Part[]
  /** Whether the parts replace those before. */
  readonly isReplaced: boolean
}

/**
 * What parts do to the slots of an artifact. Appended ones continue its last slot or begin others. Otherwise they are
 * all its parts, and each slot is compared with the one at its position: one that begins with what is known is
 * appended to.
 */
export function merge(slots: Slots, parts: readonly Part[], append: boolean): Change[] {
  const last = append ? continuable(slots.at(slots.count - 1)) : undefined
  const runs = runsOf(parts, last)
  if (!append) return runs.map((run, position) => compare(slots, run, position))
  return runs.map((run, i) => {
    if (i === 0 && last !== undefined && isContinued(run, last)) {
      const after = withParts(last, run)
      return { position: slots.count - 1, before: last, after, added: run, isReplaced: false }
    }
    const isContinuing = last !== undefined && isContinued(runs[0] ?? run, last)
    return added(run, slots.count + i - (isContinuing ? 1 : 0))
  })
}

type Run = readonly [Part, ...Part[]]

/** Parts by run. An empty text after other parts completes them and is no text. */
function runsOf(parts: readonly Part[], last: Slot | undefined): Run[] {
  const runs: [Part, ...Part[]][] = []
  let slot = last
  for (const part of parts) {
    const run = runs.at(-1)
    if (slot !== undefined && isPartOf(slot, part)) {
      if (run === undefined) runs.push([part])
      else run.push(part)
    } else if (
      slot === undefined ||
      part.type !== 'text' ||
      part.text !== '' ||
      part.metadata !== undefined
    ) {
      runs.push([part])
      slot = newSlot(part)
    }
  }
  return runs
}

/** The last slot, as one that takes no more parts if it is closed. */
function continuable(slot: Slot | undefined): Slot | undefined {
  return slot !== undefined && isClosed(slot) ? { ...slot, type: 'record' } : slot
}

function isContinued([first]: Run, last: Slot): boolean {
  return isPartOf(last, first)
}

function compare(slots: Slots, run: Run, position: number): Change {
  const known = slots.at(position)
  if (known === undefined) return added(run, position)
  const fresh = newSlot(run[0])
  const isSame = known.type === fresh.type && known.name === fresh.name && known.mediaType === fresh.mediaType
  if (!isSame) return { ...added(run, position), isReplaced: true }
  const rest = partsAfter(known, run)
  // A complete file of bytes is written again.
  if (rest !== undefined && (rest.length === 0 || !isClosed(known))) {
    return { position, before: known, after: withParts(known, rest), added: rest, isReplaced: false }
  }
  const after = copySlot(known)
  const { count, hash } = withParts(fresh, run)
  after.count = count
  after.hash = hash
  return { position, before: known, after, added: run, isReplaced: true }
}

function added(run: Run, position: number): Change {
  const after = withParts(newSlot(run[0]), run)
  return { position, before: undefined, after, added: run, isReplaced: false }
}
