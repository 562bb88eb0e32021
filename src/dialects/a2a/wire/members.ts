/**
 * The members of the objects of A2A in every version, by the name in camel case. Those of JSON in snake case are read
 * as well. `b=a` is another name of `a`, which is read if there is no `a`. Whatever is not read is reported.
 */

import { type Fields, isFields } from '../../../validation/predicates.ts'

/** What is read from each object. */
const members = {
  response: 'jsonrpc id result error',
  /** Besides the one that is read. */
  item: '',
  task: 'kind id contextId status artifacts history metadata',
  statusUpdate: 'kind taskId contextId status final metadata',
  artifactUpdate: 'kind taskId contextId artifact append lastChunk metadata',
  // The REST form of 0.3 calls the message `update`.
  status: 'state message update=message timestamp',
  artifact: 'artifactId name description parts extensions metadata',
  // The REST form of 0.3 calls the parts `content`.
  message: 'kind messageId role parts content=parts contextId taskId referenceTaskIds extensions metadata',
  text: 'kind text filename mediaType metadata',
  raw: 'kind raw filename mediaType metadata',
  url: 'kind url filename mediaType metadata',
  data: 'kind data filename mediaType metadata',
  filePart: 'kind file metadata',
  file: 'bytes fileWithBytes=bytes uri fileWithUri=uri name mimeType mediaType=mimeType',
} as const

/** A type of object. */
export type ObjectType = keyof typeof members

/** The names of each type, in both cases, with those that go before them. */
const names: ReadonlyMap<string, ReadonlyMap<string, string>> = /* @__PURE__ */ new Map(
  Object.entries(members).map(([type, own]) => [type, namesIn(own)]),
)

function namesIn(list: string): ReadonlyMap<string, string> {
  return new Map(
    list.split(' ').flatMap((entry) => {
      const [name, first = name] = entry.split('=') as [string, string?]
      return [[name, first] as const, [snakeCase(name), first] as const]
    }),
  )
}

/** The snake case of a name in camel case. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The members that are a text, a number or a flag. */
const scalars: ReadonlyMap<string, string> = /* @__PURE__ */ namesIn(
  'jsonrpc kind id contextId taskId messageId artifactId role final append lastChunk text filename mediaType',
)

/** The members of an object that are not read: its type does not have them, or another name goes before. */
export function unknownMembers(type: ObjectType, value: Fields): readonly string[] {
  const known = names.get(type)
  return Object.keys(value).filter((name) => {
    const inner = value[name]
    if (inner === undefined || inner === null) return false
    const first = known?.get(name)
    if (first === undefined || (typeof inner === 'object' && scalars.has(name))) return true
    return first !== name && (nameIn(value, first) ?? name) !== name
  })
}

/** The name that an object has a member by: in camel case, or in snake case. */
export function nameIn(value: Fields, name: string): string | undefined {
  if (Object.hasOwn(value, name) && value[name] !== null) return name
  const snake = snakeNames.get(name) ?? snakeCase(name)
  snakeNames.set(name, snake)
  return snake !== name && Object.hasOwn(value, snake) ? snake : undefined
}

/** The names asked for so far, in snake case: a pattern takes long. */
const snakeNames: Map<string, string> = /* @__PURE__ */ new Map()

/** A member by its name in camel case, or by that in snake case. Only own members. */
export function get(value: Fields, name: string): unknown {
  const own = nameIn(value, name)
  return own === undefined ? undefined : (value[own] ?? undefined)
}

/** A member that is an object. */
export function getFields(value: Fields, name: string): Fields | undefined {
  const inner = get(value, name)
  return isFields(inner) ? inner : undefined
}
