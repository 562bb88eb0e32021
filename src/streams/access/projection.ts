/** Projections: what one viewer sees of events, compiled once for each kind. */

import type { Issue } from '../../core/decode-result.ts'
import { setMember } from '../../core/mutable.ts'
import { parsePointer } from '../../encoding/pointer.ts'
import { carryKeys, LABEL, signatureKeys } from '../../events/carry-keys.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { kindRedactions } from '../../events/kinds.generated.ts'
import { contextShape, envelopeShape, eventShapes } from '../../events/shapes.generated.ts'
import { compile } from '../../validation/compile.ts'
import { exactCheck } from '../../validation/exact.ts'
import { isId, isPlain } from '../../validation/predicates.ts'
import { readBy } from '../../validation/read.ts'
import type { Check, Path } from '../../validation/report.ts'
import type { Shape, ShapeFields } from '../../validation/shape.ts'
import {
  type Audience,
  isAllowedByLabel,
  isForwardedByDefault,
  isOperatorOnly,
  mustReachUser,
  needsForwarding,
  statesParent,
} from './audience.ts'
import { allowsThought, type ThoughtPolicy } from './filter.ts'
import { defaultThoughts } from './redactions.ts'
import { keysOf, removalsOf, removesEvents, withoutField } from './removals.ts'
import type { Viewer } from './viewer.ts'

type AnyEvent = { readonly kind: string }

/** A field that is hidden because nothing declares it, or hides its event because it is not valid. */
export interface HiddenField {
  /** The kind of the event. */
  readonly kind: string
  /** From the root of the event. Items of lists are left out. */
  readonly path: Path
  /** What is wrong with the field. Omitted: it is not declared. */
  readonly issue?: Issue
}

/** How events are projected, beside the viewer. */
export interface ProjectionOptions {
  /** Which events of subtasks users and observers see. Defaults to those that are forwarded by default. */
  readonly forward?: (event: AnyEvent) => boolean
  /** Called with each field that is hidden, or hides its event, because the schema of the kind does not allow it. */
  readonly onHidden?: ((field: HiddenField) => void) | undefined
}

/** Returns what a viewer sees of an event: {@link project}. */
export type Projection = <E extends AnyEvent>(event: E) => E | undefined

/** The projection of a viewer, which was checked before. */
export function projectionOf(viewer: Viewer, options: ProjectionOptions = {}): Projection {
  const { seesKind, planOf, thoughts } = projector(viewer, options.forward)
  return (event) => {
    if (!seesKind(event)) return undefined
    const plan = planOf(event.kind)
    if (plan.isWhole(event)) return event
    const visible = reduced(event, plan, options.onHidden)
    // A thought whose labels are removed can be anything.
    return visible !== undefined && allowsThought(thoughts, visible) ? visible : undefined
  }
}

/** Whether a viewer sees only those events of subtasks that are forwarded. */
export function seesForwardedOnly({ audience, subtasks }: Viewer): boolean {
  return subtasks !== 'all' && needsForwarding(audience)
}

/** Whether a value is a valid event with context, of a known kind, that a viewer sees as it is. One pass for most events. */
export function passOf(viewer: Viewer): (value: unknown) => value is ContextAnyEvent {
  const { seesKind, planOf } = projector(viewer)
  return (value): value is ContextAnyEvent => {
    if (!isPlain(value) || typeof value.kind !== 'string' || !Object.hasOwn(eventShapes, value.kind))
      return false
    const event = value as AnyEvent & typeof value
    if (!isId(event.contextId) || !isId(event.taskId) || !seesKind(event)) return false
    return planOf(event.kind).isWhole(event)
  }
}

interface Projector {
  /** Whether the viewer sees an event, whatever its fields are. */
  readonly seesKind: (event: AnyEvent) => boolean
  readonly planOf: (kind: string) => Plan
  readonly thoughts: ThoughtPolicy
}

function projector(viewer: Viewer, forward: (event: AnyEvent) => boolean = isForwardedByDefault): Projector {
  // What the caller changes later shows nothing else.
  const own = structuredClone(viewer)
  const { audience } = own
  // `??`: it may also hold null.
  const thoughts = own.thoughts ?? defaultThoughts[audience]
  const onlyForwarded = seesForwardedOnly(own)
  const planOf = plansOf(own)
  return {
    thoughts,
    planOf,
    seesKind: (event) =>
      !(onlyForwarded && statesParent(event) && !mustReachUser(event) && !forward(event)) &&
      (audience === 'operator' || !isOperatorOnly(event.kind)) &&
      isAllowedByLabel(event, audience) &&
      allowsThought(thoughts, event) &&
      !planOf(event.kind).isHidden,
  }
}

/** What a viewer sees of the events of a kind. */
interface Plan {
  readonly isHidden: boolean
  /** Whether an event is valid and has nothing that is removed. May refuse others that have not, which are then read. */
  readonly isWhole: Check
  /** The JSON pointers of the fields that are removed. */
  readonly removed: readonly string[]
  /** Whether the rest is valid. */
  readonly check: Check
  /** Whether fields are shown that the shape does not declare. */
  readonly showsOthers: boolean
}

/** The plans of viewers of which only the audience matters, by audience and kind. */
const sharedPlans = new Map<Audience, Map<string, Plan>>()

function plansOf(viewer: Viewer): (kind: string) => Plan {
  const { audience } = viewer
  const isShared = !viewer.removed && !viewer.metadata
  const plans = (isShared ? sharedPlans.get(audience) : undefined) ?? new Map<string, Plan>()
  if (isShared) sharedPlans.set(audience, plans)
  return function planOf(kind) {
    const known = plans.get(kind)
    if (known !== undefined) return known
    // Unknown kinds are any text, and there is no end of them: they share one plan.
    if (kind !== '' && !Object.hasOwn(eventShapes, kind)) return planOf('')
    const plan = planFor(kind, viewer)
    plans.set(kind, plan)
    return plan
  }
}

/** What is hidden of a kind from audiences of any name. */
interface Redacted {
  readonly hidden?: readonly Audience[]
  readonly removed?: Readonly<Record<string, readonly Audience[]>>
}

function planFor(kind: string, { audience, removed, metadata }: Viewer): Plan {
  const known = eventShapes[kind]
  const showsOthers = audience === 'operator' || known === undefined
  const redaction: Redacted = kindRedactions[kind as keyof typeof kindRedactions] ?? {}
  const { hidden = [], removed: redacted = {} } = redaction
  const pointers = Object.keys(redacted).filter((pointer) => redacted[pointer]?.includes(audience))
  const all = [...pointers, ...removalsOf(removed ?? {}, kind)]
  // Observers do not see what other formats repeat of arguments and results.
  const carried = audience === 'observer' ? [LABEL] : carryKeys
  const fields = showsOthers
    ? { ...looseContext, ...(known ?? envelopeShape) }
    : visibleFields(known, [...carried, ...(metadata ?? [])])
  const check = compile(['fields', fields])
  return {
    isHidden: hidden.includes(audience) || all.some(removesEvents),
    removed: all,
    check,
    showsOthers,
    isWhole:
      showsOthers && all.length === 0
        ? check
        : // What is carried of the AI SDK is looked through.
          exactCheck(['fields', [...all.map(keysOf), ['metadata', 'aiSdk']].reduce(withoutKeys, fields)]),
  }
}

/** The kind, and the fields of the context, which an event may be without. */
const looseContext: ShapeFields = {
  kind: 'any',
  ...contextShape,
  contextId: ['maybe', 'id'],
  taskId: ['maybe', 'id'],
}

/** The fields of a kind, and the keys of its metadata that are shown. */
function visibleFields({ metadata, ...shape }: ShapeFields, named: readonly string[]): ShapeFields {
  const keys = named.map((name) => [name, ['maybe', 'any']] as const)
  const declared = fieldsIn(metadata)
  return {
    ...looseContext,
    ...shape,
    metadata: ['maybe', ['fields', { ...Object.fromEntries(keys), ...declared }]],
  }
}

/** The fields of an object that may be optional. */
function fieldsIn(shape: Shape | undefined): ShapeFields {
  if (shape?.[0] === 'maybe') return fieldsIn(shape[1] as Shape)
  return shape?.[0] === 'fields' ? (shape[1] as ShapeFields) : {}
}

/** The fields of an object without one. What is removed from a list or a value is removed from the shape as a whole. */
function withoutKeys(fields: ShapeFields, [name = '', ...keys]: readonly string[]): ShapeFields {
  const { [name]: field, ...others } = fields
  const inner = fieldsIn(field)
  return keys.length === 0 || Object.keys(inner).length === 0
    ? others
    : { ...others, [name]: ['maybe', ['fields', withoutKeys(inner, keys)]] }
}

/** An event without what is removed; `undefined` if it is not valid then. */
function reduced<E extends AnyEvent>(
  event: E,
  { removed, check, showsOthers }: Plan,
  onHidden: ProjectionOptions['onHidden'],
): E | undefined {
  let visible: E | undefined = event
  for (const pointer of removed) visible = visible && withoutField(visible, pointer)
  if (visible === undefined) return undefined
  const { issues, value } = readBy(check, showsOthers ? visible : withoutSignatures(visible), {
    hide(object, declared, path, others) {
      let changes = others
      for (const name in showsOthers ? {} : object) {
        if (Object.hasOwn(declared, name) || !Object.hasOwn(object, name) || isOfApplication(name, path))
          continue
        changes ??= {}
        setMember(changes, name, undefined)
        onHidden?.({ kind: event.kind, path: [...path.filter((step) => typeof step === 'string'), name] })
      }
      return changes
    },
  })
  // What does not fit may hide anything.
  const [issue = notPlain] = issues
  // An object of a class may become anything in JSON.
  if (issues.length === 0 && check(value)) return withoutEmptyMetadata(value as E, visible)
  onHidden?.({ kind: event.kind, path: parsePointer(issue.path) ?? [], issue })
  return undefined
}

const notPlain: Issue = { code: 'invalid-type', path: '', message: 'Expected plain objects, got others.' }

/** An event without metadata of which nothing is left: an empty object would show that there was some. */
function withoutEmptyMetadata<E extends AnyEvent>(event: E, original: E): E {
  type Noted = { readonly metadata?: object }
  const { metadata, ...others } = event as E & Noted
  const isEmptied =
    metadata && metadata !== (original as E & Noted).metadata && Object.keys(metadata).length === 0
  return isEmptied ? (others as unknown as E) : event
}

/**
 * An event without the signatures of providers that are carried of the AI SDK: `aiSdk.providerMetadata.<provider>.<key>`, and
 * those of the call that a request is about, `aiSdk.call.aiSdk.providerMetadata.<provider>.<key>`.
 */
function withoutSignatures<E extends AnyEvent>(event: E): E {
  const { metadata } = event as { readonly metadata?: unknown }
  if (!isPlain(metadata) || !isPlain(metadata.aiSdk)) return event
  return { ...event, metadata: { ...metadata, aiSdk: withoutSignaturesAt(metadata.aiSdk, 0) } }
}

/** How deep the providers of a call are that a request is about. */
const MAX_SIGNATURE_DEPTH = 4

function withoutSignaturesAt(value: unknown, depth: number): unknown {
  if (!isPlain(value) || depth > MAX_SIGNATURE_DEPTH) return value
  const kept = Object.entries(value).filter(([name]) => depth < 2 || !signatureKeys.includes(name))
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutSignaturesAt(inner, depth + 1)]))
}

/** Whether a key of the metadata of an event is one of an application, such as `acme.rating`. */
function isOfApplication(name: string, path: Path): boolean {
  return isMetadata(path) && name.includes('.')
}

function isMetadata(path: Path): boolean {
  return path.length === 1 && path[0] === 'metadata'
}
