/** What is left of a session event once it is mapped: carried in the metadata of its core event, or reported. */

import { MAX_DIAGNOSTICS } from '../../../core/step-builder.ts'
import { toPointer } from '../../../encoding/pointer.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import { isPresent, isRepeated } from '../wire/aliases.ts'
import { REST } from '../wire/carried.ts'
import type { RoundWriter } from './round-writer.ts'

/** Names of fields of an event, and of its metadata. */
interface Places {
  readonly event: ReadonlySet<string>
  readonly metadata: ReadonlySet<string>
}

/** Fields about identity and delivery. A receiver uses them; they are not part of what is sent. */
const DELIVERY: Places = {
  event: /* @__PURE__ */ new Set([
    'event',
    'session_id',
    'timestamp',
    'seq',
    'epoch',
    'event_id',
    'connection_id',
  ]),
  metadata: /* @__PURE__ */ new Set(['connection_id', 'orig_seq', 'orig_event_id']),
}

/** Of a piece of the answer: also its place among the others. */
const DELIVERY_OF_CHUNK: Places = {
  event: /* @__PURE__ */ new Set([...DELIVERY.event, 'step_id', 'show_content']),
  metadata: /* @__PURE__ */ new Set([...DELIVERY.metadata, 'chunk_index']),
}

/** Of an event that carries the core event it was written from: all that the protocol knows. */
const OF_CORE: Places = {
  event: /* @__PURE__ */ new Set([...DELIVERY_OF_CHUNK.event, 'content', 'metadata']),
  metadata: DELIVERY.metadata,
}

/**
 * Carries the fields of the event that were not taken in `metadata.session` of the last event of this step. Reports
 * them as `lossy:<path>` if the step has no event with metadata.
 */
export function carryRest(writer: RoundWriter): void {
  const rest = restOf(writer)
  if (rest === undefined) return
  const at = writer.out.findLastIndex(({ kind }) => kind !== 'content-delta')
  const carrier = writer.out[at] as (ContextAnyEvent & { metadata?: Fields }) | undefined
  if (carrier !== undefined) {
    const { metadata: own } = carrier
    const metadata = { ...own, [REST]: { ...fieldsOf(own?.[REST]), event: writer.event.event, ...rest } }
    writer.out[at] = { ...carrier, metadata } as ContextAnyEvent
    return
  }
  for (const path of pathsOf(rest).slice(0, MAX_DIAGNOSTICS)) {
    const name = path.join('.')
    const message = `The core vocabulary has no equivalent for ${name} of ${writer.event.event}.`
    writer.diagnostic(`lossy:${name}`, message, { path: toPointer(path) })
  }
}

/** The fields that were not taken; of content and metadata, the fields in them. `undefined` if none are left. */
function restOf({ event, taken, core }: RoundWriter): Fields | undefined {
  const isChunk = event.event === 'agent.partial_answer'
  const delivery = core !== undefined ? OF_CORE : isChunk ? DELIVERY_OF_CHUNK : DELIVERY
  let rest: Record<string, unknown> | undefined
  for (const name of Object.keys(event)) {
    const value = (event as unknown as Fields)[name]
    if (!isPresent(value) || delivery.event.has(name) || taken.has(`/${name}`)) continue
    const isNested = (name === 'content' || name === 'metadata') && isFields(value)
    const left = isNested ? restIn(name, value) : value
    if (left === undefined) continue
    rest ??= {}
    rest[name] = left
  }
  return rest

  function restIn(name: 'content' | 'metadata', fields: Fields): Fields | undefined {
    const isMetadata = name === 'metadata'
    const left: [string, unknown][] = []
    for (const key of Object.keys(fields)) {
      const value = fields[key]
      if (!isPresent(value) || (isMetadata && delivery.metadata.has(key))) continue
      const path = `/${name}/${key}`
      const isKnown = taken.has(path) || (isMetadata && isRepeated(event as Fields & { event: string }, path))
      if (!isKnown) left.push([key, value])
    }
    // A field may be named `__proto__`.
    return left.length === 0 ? undefined : Object.fromEntries(left)
  }
}

function pathsOf(rest: Fields): string[][] {
  return Object.entries(rest).flatMap(([name, value]) =>
    (name === 'content' || name === 'metadata') && isFields(value)
      ? Object.keys(value).map((key) => [name, key])
      : [[name]],
  )
}
