/** What a viewer's removals remove from the events of a kind. */

import { eventShapes } from '../../events/shapes.generated.ts'
import { isFields } from '../../validation/predicates.ts'
import type { Shape } from '../../validation/shape.ts'
import type { Viewer } from './viewer.ts'

/** The arguments of the call that a question is about, as JSON text. */
const ARGUMENTS = '/metadata/toolCall/function/arguments'

/** The arguments of a call as an AgentEvent spells them. */
const ORIGINAL = '/metadata/toolArgs'

/** The result of a call as other formats spell it. */
const results = ['/metadata/output', '/metadata/result'] as const

/** The digest of arguments, from which short ones can be guessed. */
const DIGEST = '/metadata/callDigest'

/** What a request of the AI SDK shows of the call that it is about. */
const shown = ['/metadata/aiSdk/inputSchemaInput', '/metadata/aiSdk/approvalDescriptor'] as const

/** A field that is repeated in the events of other kinds. */
interface RepeatedField {
  readonly kind: string
  readonly field: string
  /** Where it is repeated: the kind, and the field there. `''`: the events are hidden, as the field cannot be found in them. */
  readonly in: readonly (readonly [kind: string, field: string])[]
}

/**
 * What is removed in one place is removed wherever it is repeated. A view holds the metadata of a call once, and a snapshot
 * writes a thought in one event or several; a question repeats the call that it is about.
 */
const repeatedFields: readonly RepeatedField[] = [
  { kind: 'tool-complete', field: '/metadata', in: [['tool-start', '/metadata']] },
  {
    kind: 'tool-complete',
    field: '/result',
    in: ['tool-start', 'tool-complete'].flatMap((kind) => results.map((field) => [kind, field] as const)),
  },
  {
    kind: 'tool-start',
    field: '/arguments',
    in: [
      ['tool-start', ORIGINAL],
      ['tool-complete', ORIGINAL],
      ['tool-arguments-delta', ''],
      ['input-required', ARGUMENTS],
      ...shown.map((field) => ['input-required', field] as const),
      ['input-received', DIGEST],
    ],
  },
  { kind: 'tool-start', field: '/metadata', in: [['tool-complete', '/metadata']] },
  { kind: 'thought-stream', field: '/content', in: [['thought-delta', '/delta']] },
  {
    kind: 'content-complete',
    field: '/content',
    in: [
      ['content-delta', '/delta'],
      ['content-replace', '/content'],
      ['task-complete', '/content'],
    ],
  },
  { kind: 'input-required', field: ARGUMENTS, in: [['input-received', DIGEST]] },
]

/** Where nothing is left if a part is removed: the part cannot be found. */
const wholes: ReadonlySet<string> = new Set(['', DIGEST, ORIGINAL, ...shown, ...results])

/** The JSON pointers of the fields to remove from the events of a kind. */
export function removalsOf(removed: NonNullable<Viewer['removed']>, kind: string): readonly string[] {
  const repeated = repeatedFields.flatMap(({ kind: origin, field, in: places }) => {
    const pointers = pointersOf(removed, origin).flatMap((pointer) => {
      if (hidesEvents(origin, pointer) || field.startsWith(`${pointer}/`)) return ['']
      return pointer === field || pointer.startsWith(`${field}/`) ? [pointer.slice(field.length)] : []
    })
    return places.flatMap(([place, to]) =>
      place === kind ? pointers.map((rest) => (wholes.has(to) ? to : to + rest)) : [],
    )
  })
  return [...new Set([...pointersOf(removed, kind), ...repeated])]
}

function pointersOf(removed: NonNullable<Viewer['removed']>, kind: string): readonly string[] {
  // `??`: it may also hold null.
  return Object.hasOwn(removed, kind) ? (removed[kind] ?? []) : []
}

/** Whether a pointer removes whole events: one of a field that every event has, or one without a field. */
export function removesEvents(pointer: string): boolean {
  const [field] = keysOf(pointer)
  return field === undefined || envelopeFields.has(field)
}

/** Fields of every event. */
const envelopeFields: ReadonlySet<string> = new Set(['kind', 'contextId', 'taskId', 'timestamp'])

/** Whether events of a kind are hidden without a field: it is required and cannot be emptied. */
function hidesEvents(kind: string, pointer: string): boolean {
  if (removesEvents(pointer)) return true
  const shape = requiredShape(kind, keysOf(pointer).slice(0, 1))
  return shape !== undefined && !mayBeEmpty(shape)
}

/** The names of the fields that lead to the one at a pointer. Empty for a malformed pointer. */
export function keysOf(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1)
  return tokens.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Removes a field, or empties it if it is required; `undefined` if the event is invalid without it. */
export function withoutField<E extends { readonly kind: string }>(event: E, pointer: string): E | undefined {
  if (removesEvents(pointer)) return undefined
  const keys = keysOf(pointer)
  let isValid = true
  const visible = replaceAt(event, keys, 0, (value, depth) => {
    const shape = requiredShape(event.kind, keys.slice(0, depth))
    if (shape === undefined) return undefined
    isValid = mayBeEmpty(shape)
    return isValid ? emptyValueLike(value) : undefined
  })
  return isValid ? (visible as E) : undefined
}

/** A copy with the value at a path replaced, or the value itself if the path does not exist. */
function replaceAt(
  value: unknown,
  keys: readonly string[],
  depth: number,
  update: (old: unknown, depth: number) => unknown,
): unknown {
  const key = keys[depth]
  if (key === undefined || Array.isArray(value)) return update(value, depth)
  if (typeof value === 'string' && `/${keys.slice(0, depth).join('/')}` === ARGUMENTS) {
    return withoutInText(value, keys.slice(depth)) ?? update(value, depth)
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value
  const inner = (value as Readonly<Record<string, unknown>>)[key]
  const replaced = replaceAt(inner, keys, depth + 1, update)
  if (replaced === inner) return value
  const copy: Record<string, unknown> = { ...value, [key]: replaced }
  if (replaced === undefined) delete copy[key]
  return copy
}

/** The JSON of arguments without a field; `undefined` if they cannot be read, so that nothing of them is shown. */
function withoutInText(text: string, keys: readonly string[]): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? JSON.stringify(replaceAt(value, keys, 0, () => undefined)) : undefined
  } catch {
    return undefined
  }
}

function emptyValueLike(value: unknown): unknown {
  if (typeof value === 'string') return ''
  if (Array.isArray(value)) return []
  return {}
}

/** The shape of a required field of a kind; `undefined` if it may be left out. */
function requiredShape(kind: string, keys: readonly string[]): Shape | undefined {
  const fields = Object.hasOwn(eventShapes, kind) ? eventShapes[kind] : undefined
  let shape: Shape | undefined = fields && ['fields', fields]
  for (const key of keys) shape = shape && fieldOf(shape, key)
  return shape?.[0] === 'maybe' ? undefined : shape
}

function fieldOf(shape: Shape, key: string): Shape | undefined {
  switch (shape[0]) {
    case 'maybe':
      return fieldOf(shape[1] as Shape, key)
    case 'by':
      return Object.values(shape[2])
        .map((option) => fieldOf(option, key))
        .find((field) => field !== undefined)
    case 'fields':
      return Object.hasOwn(shape[1] as object, key)
        ? (shape[1] as Readonly<Record<string, Shape>>)[key]
        : undefined
    default:
      return undefined
  }
}

/** Whether a shape accepts `''`, `[]` or `{}`, whichever is of its type. */
function mayBeEmpty(shape: Shape): boolean {
  switch (shape[0]) {
    case 'list':
      return !shape[2]
    case 'fields':
      return Object.values(shape[1]).every((field) => (field as Shape)[0] === 'maybe')
    default:
      return shape === 'text' || shape === 'any'
  }
}
