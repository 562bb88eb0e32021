/** Validation of the `data` of custom events, before they are emitted. */

import { describeValue, mismatch, requireObject } from '../core/require.ts'
import type { StandardIssue, StandardResult, StandardSchema } from '../core/standard-schema.ts'
import { toPointer } from '../encoding/pointer.ts'
import type { CustomEvents } from '../events/custom.ts'
import type { AnyEvent } from '../events/event.ts'

/** Validators by the `name` of custom events: any name, or those of {@link CustomEvents} once it has members. */
export type CustomSchemas = [keyof CustomEvents] extends [never]
  ? Readonly<Record<string, StandardSchema>>
  : { readonly [Name in keyof CustomEvents]?: StandardSchema }

/** Requires an object of validators. */
export function requireCustomSchemas(custom: CustomSchemas): void {
  requireObject('custom', custom)
  for (const [name, schema] of Object.entries(custom)) {
    if (typeof schema?.['~standard']?.validate !== 'function')
      throw mismatch(
        'custom',
        `an object of Standard Schema validators, also in ${describeValue(name)}`,
        schema,
      )
  }
}

/**
 * Requires that the `data` of a custom event passes the validator of its `name`, if there is one. Other events pass.
 *
 * @throws TypeError such as `Invalid custom event "acme.citation". /data/url: Expected string.`
 */
export function requireCustomData(custom: CustomSchemas, event: AnyEvent): void {
  if (event.kind !== 'custom') return
  const { name, data } = event
  if (data === undefined) throw mismatch('data', 'a JSON value', data)
  const schema = Object.hasOwn(custom, name) ? custom[name] : undefined
  if (schema === undefined) return
  const result = schema['~standard'].validate(data)
  if (isPromise(result)) {
    // The verdict is not used; its rejection would otherwise be unhandled.
    result.catch(() => undefined)
    throw new TypeError(`"custom[${JSON.stringify(name)}]" must validate synchronously, got a promise.`)
  }
  const { issues: found } = Object(result) as StandardResult
  if (Object(result) !== result || (found !== undefined && !Array.isArray(found)))
    throw mismatch(
      `custom[${JSON.stringify(name)}]`,
      'a validator that returns a Standard Schema result',
      result,
    )
  if (found === undefined) return
  const issues = found.map((issue: StandardIssue) => `${pathOf(issue)}: ${issue.message}`)
  throw new TypeError(`Invalid custom event ${describeValue(name)}. ${issues.join(' ')}`)
}

function isPromise(result: StandardResult | Promise<StandardResult>): result is Promise<StandardResult> {
  return Object(result) === result && 'then' in result
}

function pathOf({ path = [] }: StandardIssue): string {
  const keys = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment))
  return toPointer(['data', ...keys])
}
