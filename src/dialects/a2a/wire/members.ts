/**
 * The members of the objects of A2A in every version, by the name in camel case. Those of JSON in snake case are read
 * as well. Whatever is not listed is reported.
 */

import { type Fields, isFields } from '../../../validation/predicates.ts'

/** What is read from each object. */
const members = {
  response: 'jsonrpc id result error',
  item: 'task statusUpdate artifactUpdate message msg',
  task: 'kind id contextId status artifacts history metadata',
  statusUpdate: 'kind taskId contextId status final metadata',
  artifactUpdate: 'kind taskId contextId artifact append lastChunk metadata',
  // The REST form of 0.3 calls the message `update`.
  status: 'state message update timestamp',
  artifact: 'artifactId name description parts extensions metadata',
  // The REST form of 0.3 calls the parts `content`.
  message: 'kind messageId role parts content contextId taskId referenceTaskIds extensions metadata',
  text: 'kind text filename mediaType metadata',
  raw: 'kind raw file filename mediaType metadata',
  url: 'kind url file filename mediaType metadata',
  data: 'kind data filename mediaType metadata',
  filePart: 'kind file metadata',
  file: 'bytes fileWithBytes uri fileWithUri name mimeType mediaType',
} as const

/** A type of object. */
export type ObjectType = keyof typeof members

/** The names of each type, in both cases. */
const names: ReadonlyMap<string, ReadonlySet<string>> = /* @__PURE__ */ new Map(
  Object.entries(members).map(([type, own]) => [type, namesIn(own)]),
)

/** Names, in both cases. */
function namesIn(list: string): ReadonlySet<string> {
  return new Set(`${list} ${snakeCase(list)}`.split(' '))
}

/** The snake case of a name in camel case. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The members that are a text, a number or a flag. */
const scalars: ReadonlySet<string> = /* @__PURE__ */ namesIn(
  'jsonrpc kind id contextId taskId messageId artifactId role final append lastChunk text filename mediaType',
)

/** The members of an object that its type does not have, or not with an object as the value. */
export function unknownMembers(type: ObjectType, value: Fields): readonly string[] {
  const known = names.get(type)
  return Object.keys(value).filter((name) => {
    const inner = value[name]
    if (inner === undefined || inner === null) return false
    return known?.has(name) !== true || (typeof inner === 'object' && scalars.has(name))
  })
}

/** The name that an object has a member by: in camel case, or in snake case. */
export function nameIn(value: Fields, name: string): string | undefined {
  if (Object.hasOwn(value, name)) return name
  // Most names are the same in both cases, and a pattern takes long.
  for (let i = 1; i < name.length; i++) {
    if (name.charCodeAt(i) > LAST_CAPITAL) continue
    const snake = snakeCase(name)
    return Object.hasOwn(value, snake) ? snake : undefined
  }
  return undefined
}

/** The code of `Z`. */
const LAST_CAPITAL = 90

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
