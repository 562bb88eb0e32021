/** Continuing where the events of the extension ended: how far they wrote each text, file and dataset. */

import {
  boundedEntries,
  boundedGet,
  boundedSet,
  emptyBoundedMap,
} from '../../../core/bounded-map/bounded-map.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { TaskEventWriter } from './event-writer.ts'
import type { Slot } from './slot.ts'
import { MAX_ARTIFACTS, type Written } from './state.ts'

/** Stores how far an event wrote its output. */
export function trackWrite(writer: TaskEventWriter, event: ContextAnyEvent): void {
  const { state } = writer
  const key = keyOf(event)
  if (key === undefined) return
  const known = boundedGet(state.written, key)
  const { version: before = 0 } = known ?? {}
  if (event.kind === 'artifact-delta') {
    const version = typeof event.version === 'number' ? event.version : before + 1
    if (known) state.written = writer.store(state.written, key, { ...known, version }, MAX_ARTIFACTS)
    return
  }
  const isFirst = !('index' in event) || event.index === 0
  const isText = event.kind === 'file-write' && event.encoding !== 'base64'
  const isOpen = event.kind === 'content-delta' || ('complete' in event && event.complete === false)
  const last = 'indexEnd' in event ? event.indexEnd : 'index' in event ? event.index : -1
  const written = {
    nextIndex: isOpen ? (last ?? 0) + 1 : 0,
    isOpen,
    version: isOpen ? before : 'version' in event ? (event.version ?? before + 1) : before + 1,
    isUtf8: isFirst ? isText : known?.isUtf8 === true,
  }
  state.written = writer.store(state.written, key, written, MAX_ARTIFACTS)
}

function keyOf(event: ContextAnyEvent): string | undefined {
  if (event.kind === 'content-delta' || event.kind === 'content-complete')
    return `text/${event.contentId ?? ''}`
  return event.kind === 'file-write' || event.kind === 'dataset-write' || event.kind === 'artifact-delta'
    ? `file/${event.artifactId}`
    : undefined
}

/** Sets each slot to what the events wrote, so that reading A2A itself continues from there. */
export function applyWrites({ state }: TaskEventWriter): void {
  if (state.written === emptyBoundedMap) return
  let { slots } = state
  const entries = [...boundedEntries(slots)].sort(([, a], [, b]) => b.order - a.order)
  const seen = new Set<string>()
  for (const [key, slot] of entries) {
    // The writer names later segments `id#2`, `id#3` and so on.
    const base = slot.key.replace(/#\d+$/, '')
    const name = `${slot.type === 'content' ? 'text' : 'file'}/${base}`
    const written = boundedGet(state.written, name)
    if (written === undefined || slot.type === 'link' || slot.type === 'record') continue
    slots = boundedSet(slots, key, aligned(slot, written, base, seen.has(name)), MAX_ARTIFACTS).map
    seen.add(name)
  }
  state.slots = slots
  state.written = emptyBoundedMap
}

function aligned(
  slot: Slot,
  { nextIndex, isOpen, isUtf8, version }: Written,
  key: string,
  isEarlier: boolean,
): Slot {
  if (isEarlier || !isOpen)
    return { ...slot, key, isOpen: false, nextIndex: 0, text: '', half: '', isUtf8, version }
  return { ...slot, key, isOpen, nextIndex, isUtf8, version }
}
