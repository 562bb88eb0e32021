/** Objects while they are built. */

/** An object while it is built: the same fields, to be set. */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Sets a member of an object in place. */
export function setMember(record: Record<string, unknown>, name: string, value: unknown): void {
  // An assignment to `__proto__` would set the prototype.
  if (name !== '__proto__') record[name] = value
  else Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true })
}
