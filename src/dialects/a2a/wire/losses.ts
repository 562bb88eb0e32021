/** What parsing an item leaves out: members that A2A does not have, and values of another type. */

import type { Diagnostic } from '../../../core/machine.ts'
import { MAX_DIAGNOSTICS } from '../../../core/step-builder.ts'
import { toPointer } from '../../../encoding/pointer.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { extensionIssues } from './extension.ts'
import { get, nameIn, type ObjectType, unknownMembers } from './members.ts'

/** Names of fields are cut to this length, except in the path. */
const MAX_NAME = 64

/** Reads members of an item, and collects a diagnostic for each one that is not read. */
export class Losses {
  readonly diagnostics: Diagnostic[] = []

  /** Reports a value. */
  report(field: string, path: string, value: unknown): void {
    if (this.diagnostics.length >= MAX_DIAGNOSTICS) return
    const name = field.slice(0, MAX_NAME)
    const message = `Dropped ${name}: expected a field and a type of A2A, got ${typeof value}.`
    this.diagnostics.push({ code: `lossy:${name}`, message, path })
  }

  /** Reports a member that is present, as it was not read. */
  present(name: string, value: Fields, path: string): void {
    const found = get(value, name)
    if (found !== undefined) this.report(name, `${path}/${nameIn(value, name)}`, found)
  }

  /** Reports the members that a type of object does not have. */
  unknownMembers(type: ObjectType, value: Fields, path: string, except?: string): void {
    for (const name of unknownMembers(type, value, except)) {
      this.report(name, path + toPointer([name]), value[name])
    }
  }

  /** A member that is a text; `undefined` if it is absent or empty. */
  text(value: Fields, name: string, path: string): string | undefined {
    const found = get(value, name)
    if (typeof found === 'string') return found === '' ? undefined : found
    if (found !== undefined) this.present(name, value, path)
    return undefined
  }

  /** A member that is a flag; `false` if it is absent. */
  flag(value: Fields, name: string, path: string): boolean {
    const found = get(value, name)
    if (found !== undefined && typeof found !== 'boolean') this.present(name, value, path)
    return found === true
  }

  /** A member that is a list of texts; `undefined` if it is absent or empty. */
  texts(value: Fields, name: string, path: string): string[] | undefined {
    const found = this.list(value, name, path, (item) => (typeof item === 'string' ? item : undefined))
    return found.length > 0 ? found : undefined
  }

  /** The metadata of an object; `undefined` if it is absent or empty. */
  metadata(value: Fields, path: string): Metadata | undefined {
    const { metadata } = value
    if (isFields(metadata)) return Object.keys(metadata).length > 0 ? metadata : undefined
    if (metadata !== undefined) this.present('metadata', value, path)
    return undefined
  }

  /** The metadata of a task or update. Reports what is not valid of the extension in it. */
  updateMetadata(value: Fields, path: string): Metadata | undefined {
    const metadata = this.metadata(value, path)
    for (const [inner, found] of extensionIssues(metadata)) {
      this.report('metadata', `${path}/metadata${toPointer(inner)}`, found)
    }
    return metadata
  }

  /** The items of a list that `parse` can read. */
  list<T>(
    value: Fields,
    name: string,
    path: string,
    parse: (item: unknown, path: string, losses: Losses) => T | undefined,
  ): T[] {
    const found = get(value, name)
    if (!Array.isArray(found)) {
      if (found !== undefined) this.present(name, value, path)
      return []
    }
    const own = `${path}/${nameIn(value, name)}`
    const items: T[] = []
    for (const [i, item] of found.entries()) {
      const parsed = parse(item, `${own}/${i}`, this)
      if (parsed === undefined) this.report(name, `${own}/${i}`, item)
      else items.push(parsed)
    }
    return items
  }
}
