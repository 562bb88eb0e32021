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

/** The names that have an upper case letter, in snake case. */
const snakeNames: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  Object.entries(members)
    .flatMap(([type, own]) => [type, ...own.split(/[ =]/)])
    .filter((name) => snakeCase(name) !== name)
    .map((name) => [name, snakeCase(name)]),
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

/**
 * The members of an object that are not read: its type does not have them, or another name goes before.
 *
 * @param except - One that is read otherwise.
 */
export function unknownMembers(type: ObjectType, value: Fields, except?: string): readonly string[] {
  const known = names.get(type)
  const unknown: string[] = []
  for (const name of Object.keys(value)) {
    const inner = value[name]
    if (inner === undefined || inner === null || name === except) continue
    const first = known?.get(name)
    const isRead = first === name || (first !== undefined && (nameIn(value, first) ?? name) === name)
    if (!isRead || (typeof inner === 'object' && scalars.has(name))) unknown.push(name)
  }
  return unknown
}

/** The name that an object has a member by: in camel case, or in snake case. */
export function nameIn(value: Fields, name: string): string | undefined {
  if (has(value, name)) return name
  const snake = snakeNames.get(name)
  return snake !== undefined && has(value, snake) ? snake : undefined
}

/** A member by its name in camel case, or by that in snake case. Only own members. */
export function get(value: Fields, name: string): unknown {
  const own = nameIn(value, name)
  return own === undefined ? undefined : value[own]
}

/** Whether an object has a value of its own under a name. Most members asked for are absent, which is found at once. */
function has(value: Fields, name: string): boolean {
  const inner = value[name]
  return inner !== undefined && inner !== null && Object.hasOwn(value, name)
}

/** A member that is an object. */
export function getFields(value: Fields, name: string): Fields | undefined {
  const inner = get(value, name)
  return isFields(inner) ? inner : undefined
}
