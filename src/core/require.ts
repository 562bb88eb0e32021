/** Checks of options and arguments. A wrong one is a bug in the calling code and throws a TypeError. */

/**
 * Requires an integer from `min` to 2^53-1.
 *
 * @throws TypeError such as `"maxDepth" must be an integer >= 1, got 0.`
 */
export function requireInteger(name: string, value: unknown, min: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < min)
    throw mismatch(name, `an integer >= ${min}`, value)
}

/**
 * Requires one of the listed values.
 *
 * @throws TypeError such as `"mode" must be "strict" or "lenient", got "strct".`
 */
export function requireOneOf(name: string, value: unknown, choices: readonly unknown[]): void {
  if (!choices.includes(value)) throw mismatch(name, listOf(choices, 'or'), value)
}

/** Values as a list in a sentence: `"a", "b" or "c"`. */
export function listOf(values: readonly unknown[], word: 'and' | 'or'): string {
  const last = describeValue(values.at(-1))
  const others = values.slice(0, -1).map(describeValue).join(', ')
  return others === '' ? last : `${others} ${word} ${last}`
}

/**
 * Requires a string with at least one character.
 *
 * @throws TypeError such as `"stream" must be a non-empty string, got "".`
 */
export function requireText(name: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') throw mismatch(name, 'a non-empty string', value)
}

/**
 * Requires a function.
 *
 * @param example - A function to write, for the message.
 * @throws TypeError such as `"now" must be a function, got undefined.`
 */
export function requireFunction(name: string, value: unknown, example?: string): void {
  if (typeof value === 'function') return
  throw mismatch(name, example === undefined ? 'a function' : `a function such as ${example}`, value)
}

/**
 * Requires a string, which may be empty.
 *
 * @throws TypeError such as `"reason" must be a string, got 7.`
 */
export function requireString(name: string, value: unknown): void {
  if (typeof value !== 'string') throw mismatch(name, 'a string', value)
}

/**
 * Requires `true` or `false`.
 *
 * @throws TypeError such as `"internal" must be true or false, got "yes".`
 */
export function requireBoolean(name: string, value: unknown): void {
  if (typeof value !== 'boolean') throw mismatch(name, 'true or false', value)
}

/**
 * Requires an object with fields: options, or a structure. Refuses arrays, and objects of the platform such as a
 * `Request` or a promise: all their fields would count as omitted.
 *
 * @throws TypeError such as `"options" must be an object, got "v1".`
 */
export function requireObject(name: string, value: unknown): void {
  if (typeof value !== 'object' || tagOf(value) !== 'Object') throw mismatch(name, 'an object', value)
}

/**
 * Requires an object without fields other than the listed ones. For options that limit what someone sees: there a
 * misspelled name would show too much.
 *
 * @throws TypeError such as `"thoughts" must be an object of "types" and "maxVerbosity", got "maxVerbosty".`
 */
export function requireOnly(name: string, value: unknown, keys: readonly string[]): void {
  requireObject(name, value)
  for (const key of Object.keys(value as object)) {
    if (!keys.includes(key)) throw mismatch(name, `an object of ${listOf(keys, 'and')}`, key)
  }
}

/**
 * Requires what all events have: an object with a kind.
 *
 * @throws TypeError such as `"event.kind" must be a string, got undefined.`
 */
export function requireKind(event: unknown): void {
  requireObject('event', event)
  requireString('event.kind', (event as { kind?: unknown }).kind)
}

/**
 * Requires an event with context, as far as all kinds are alike: what no emitter completed is a draft.
 *
 * @throws TypeError such as `"event" must be an event with context, got one without "contextId" and "taskId".`
 */
export function requireEnvelope(event: unknown): void {
  requireKind(event)
  const fields = event as Readonly<Record<string, unknown>>
  const { contextId, taskId, timestamp } = fields
  // The common case, without an array.
  if (typeof contextId === 'string' && typeof taskId === 'string' && typeof timestamp === 'string') return
  const missing = ['contextId', 'taskId', 'timestamp'].filter((name) => typeof fields[name] !== 'string')
  throw new TypeError(
    `"event" must be an event with context, as createEmitter makes them, got one without ${listOf(missing, 'and')}.`,
  )
}

/**
 * Requires an array.
 *
 * @throws TypeError such as `"tags" must be an array, got "think".`
 */
export function requireArray(name: string, value: unknown): void {
  if (!Array.isArray(value)) throw mismatch(name, 'an array', value)
}

/**
 * Requires an iterable object.
 *
 * @throws TypeError such as `"events" must be an iterable, got undefined.`
 */
export function requireIterable(name: string, value: unknown): void {
  if (Object(value) !== value || typeof (value as Partial<Iterable<unknown>>)[Symbol.iterator] !== 'function')
    throw mismatch(name, 'an iterable', value)
}

/**
 * Requires an object that is iterated with `for await`.
 *
 * @throws TypeError such as `"agent()" must be an async iterable, got undefined.`
 */
export function requireAsyncIterable(name: string, value: unknown): void {
  const { [Symbol.asyncIterator]: iterator } = (value ?? {}) as Partial<AsyncIterable<unknown>>
  if (typeof iterator !== 'function') throw mismatch(name, 'an async iterable', value)
}

/**
 * Requires an `AbortSignal`, also one of another realm.
 *
 * @throws TypeError such as `"signal" must be an AbortSignal, got an object.`
 */
export function requireSignal(name: string, value: unknown): void {
  const { aborted, addEventListener } = (value ?? {}) as Partial<AbortSignal>
  if (typeof aborted === 'boolean' && typeof addEventListener === 'function') return
  throw mismatch(name, 'an AbortSignal', value)
}

/**
 * Requires a value that is JSON, and returns it as text.
 *
 * @throws TypeError such as `"event" must be JSON, got an object.`: it contains a cycle or a bigint, is nested too deep, or is a
 * function or `undefined`.
 */
export function requireJson(name: string, value: unknown): string {
  let json: string | undefined
  try {
    json = JSON.stringify(value)
  } catch {
    // Each engine has another error.
  }
  if (json === undefined) throw mismatch(name, 'JSON', value)
  return json
}

/**
 * Requires nothing if the option is omitted, otherwise what `check` requires.
 *
 * @example
 * ```ts
 * optional(requireFunction, 'onDiagnostic', options.onDiagnostic)
 * ```
 */
export function optional(check: (name: string, value: unknown) => void, name: string, value: unknown): void {
  if (value !== undefined) check(name, value)
}

/** The error for an option or argument: names what was expected and what was passed. */
export function mismatch(name: string, expected: string, value: unknown): TypeError {
  const tag = tagOf(value)
  let actual = describeValue(value)
  if (actual === 'an object' && tag !== 'Object') actual = `${/^[AEIO]/.test(tag) ? 'an' : 'a'} ${tag}`
  if (tag === 'Promise') actual += ': await it first'
  return new TypeError(`"${name}" must be ${expected}, got ${actual}.`)
}

/** Formats a value for a message: short and on one line. Never throws. */
export function describeValue(value: unknown): string {
  // Longer strings are truncated.
  if (typeof value === 'string') return JSON.stringify(value.replace(/^(.{40}).+/su, '$1…'))
  if (Object(value) !== value) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'function' ? 'a function' : 'an object'
}

/** The name of what a value is, also in another realm: `Object`, `Promise`, `Null`. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}
