// Proves that `schemaOf` rejects every difference between a schema and its interface, and that the types of
// the vocabulary are consistent. The compiler is the test: nothing here runs.

import type { AnyEvent, ContextAnyEvent, EventDraft, EventKind, EventOf, eventKinds } from 'turnstream'
import type { ThoughtEventDraft } from 'turnstream/thoughts'
import * as z from 'zod/mini'
import { schemaOf } from '../../src/core/schema.ts'
import type { ExternalEvent } from '../../src/events/events.generated.ts'
import type { externalKinds } from '../../src/events/kinds.generated.ts'
import { maybe, open } from '../../src/events/records/fields.ts'

interface Point {
  kind: 'a' | 'b'
  x: number
  label?: string
  inner: { y?: boolean }
}

const kind = z.enum(['a', 'b'])
const x = z.number()
const label = maybe(z.string())
const inner = open({ y: maybe(z.boolean()) })

schemaOf<Point>()(open({ kind, x, label, inner }))
// @ts-expect-error an optional field is missing
schemaOf<Point>()(open({ kind, x, inner }))
// @ts-expect-error a field is required instead of optional
schemaOf<Point>()(open({ kind, x, label: z.string(), inner }))
// @ts-expect-error a field is optional instead of required
schemaOf<Point>()(open({ kind, x: maybe(x), label, inner }))
// @ts-expect-error a field is unknown
schemaOf<Point>()(open({ kind, x, label, inner, more: x }))
// @ts-expect-error an enum lacks a member
schemaOf<Point>()(open({ kind: z.enum(['a']), x, label, inner }))
// @ts-expect-error an enum has an additional member
schemaOf<Point>()(open({ kind: z.enum(['a', 'b', 'c']), x, label, inner }))
// @ts-expect-error a type is wrong
schemaOf<Point>()(open({ kind, x: z.string(), label, inner }))
// @ts-expect-error a nested field is missing
schemaOf<Point>()(open({ kind, x, label, inner: open({}) }))

type Same<A, B> = [A, B] extends [B, A] ? true : never

/** The list of kinds and the union have the same members. */
export const kinds: Same<EventKind, (typeof eventKinds)[number]> = true
export const external: Same<ExternalEvent['kind'], (typeof externalKinds)[number]> = true

/** A `switch` over `kind` narrows, and is exhaustive. */
export function narrows(event: ContextAnyEvent): string {
  switch (event.kind) {
    case 'content-delta':
      return event.delta + event.contextId
    case 'tool-start':
      return event.toolName
    default:
      return (event satisfies Exclude<ContextAnyEvent, { kind: 'content-delta' | 'tool-start' }>).timestamp
  }
}

/** The outputs of `thoughtEvents` are drafts for the emitter. */
export const drafts: ThoughtEventDraft extends EventDraft ? true : never = true

/** Drafts may omit only the fields that the emitter fills in. */
export const bare: EventDraft = { kind: 'content-delta', delta: '' }
// @ts-expect-error the delta is missing
export const empty: EventDraft = { kind: 'content-delta' }

/** Every event has a timestamp; `EventOf` finds one by its kind. */
export const timed: AnyEvent extends { timestamp: string } ? true : never = true
export const found: EventOf<'task-error'>['error']['retry'] = 'terminal'
