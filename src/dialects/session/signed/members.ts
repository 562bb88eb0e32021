/** The members of a JSON object as text: its numbers and its strings stay as they are written. */

import { endOfString } from '../../../json/depth.ts'

/** JSON that has no meaning all readers agree on. */
export class JsonTextError extends Error {}

/**
 * The text of each member of an object, without spaces around it.
 *
 * @param json - An object that `JSON.parse` accepts.
 * @throws JsonTextError for a key that comes twice.
 */
export function membersOf(json: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>()
  let depth = 0
  let name: string | undefined
  let start = 0
  for (let at = 0; at < json.length; at++) {
    const char = json.charAt(at)
    if (char === '"') {
      const end = endOfString(json, at)
      if (depth === 1) name ??= stringIn(json.slice(at, end + 1))
      at = end
    } else if (char === '{' || char === '[') depth++
    else if (char === ':' && depth === 1) start = at + 1
    else if (char === ',' || char === '}' || char === ']') {
      if (depth === 1 && name !== undefined) {
        requireNew(members, name)
        members.set(name, json.slice(start, at).trim())
        name = undefined
      }
      if (char !== ',') depth--
    }
  }
  return members
}

/** The value of a JSON string. Most have no escape, and need no parser. */
function stringIn(json: string): string {
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1)
}

/** Throws for a key that an object has already: readers disagree on which counts. */
export function requireNew(members: ReadonlyMap<string, string>, name: string): void {
  if (members.has(name)) {
    throw new JsonTextError(`Expected each key once, got ${JSON.stringify(name.slice(0, 64))} twice.`)
  }
}
