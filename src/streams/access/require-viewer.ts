/**
 * Checks of viewers and filters. A misspelled option would show more than meant, or nothing, so every field is
 * checked. `null` counts as omitted, for viewers and filters that are stored as JSON.
 */
import {
  mismatch,
  requireArray,
  requireBoolean,
  requireObject,
  requireOneOf,
  requireOnly,
  requireText,
} from '../../core/require.ts'
import { parsePointer } from '../../encoding/pointer.ts'
import { unknownKind } from '../../events/kind-error.ts'
import { eventKinds } from '../../events/kinds.ts'
import type { ThoughtType } from '../../events/thought.ts'
import { audiences } from './audience.ts'
import { type EventFilter, rank, type ThoughtPolicy } from './filter.ts'
import { requireKinds } from './kind-pattern.ts'
import type { Viewer } from './viewer.ts'

type Check = (name: string, value: unknown) => void

const thoughtTypes: Readonly<Record<ThoughtType, true>> = {
  planning: true,
  reasoning: true,
  reflection: true,
  decision: true,
  observation: true,
  strategy: true,
}

const policyChecks: Readonly<Record<keyof ThoughtPolicy, Check>> = {
  maxVerbosity: (name, value) => requireOneOf(name, value, [...rank.keys()]),
  verbosities: (name, value) =>
    requireItems(name, value, (item, verbosity) => requireOneOf(item, verbosity, [...rank.keys()].slice(1))),
  types: (name, value) =>
    requireItems(name, value, (item, type) => requireOneOf(item, type, Object.keys(thoughtTypes))),
  minConfidence(name, value) {
    if (!(typeof value === 'number' && value >= 0 && value <= 1)) {
      throw mismatch(name, 'a number from 0 to 1', value)
    }
  },
  unknownConfidence: (name, value) => requireOneOf(name, value, ['keep', 'drop']),
}

const viewerChecks: Readonly<Record<Exclude<keyof Viewer, 'audience'>, Check>> = {
  thoughts: (name, value) => requireFields(name, value, policyChecks),
  removed(name, value) {
    requireObject(name, value)
    for (const [kind, pointers] of Object.entries(value as object)) {
      if (!(eventKinds as readonly string[]).includes(kind)) throw unknownKind(`${name} key`, kind)
      requireItems(`${name}.${kind}`, pointers, requirePointer)
    }
  },
  metadata: (name, value) => requireItems(name, value, requireText),
  subtasks: (name, value) => requireOneOf(name, value, ['all']),
}

const filterChecks: Readonly<Record<keyof EventFilter, Check>> = {
  kinds: requireKinds,
  tasks: (name, value) => requireItems(name, value, requireText),
  thoughts: viewerChecks.thoughts,
  internal: requireBoolean,
}

/** Requires a valid viewer. */
export function requireViewer(name: string, viewer: unknown): void {
  requireFields(name, viewer, viewerChecks, ['audience'])
  requireOneOf(`${name}.audience`, (viewer as Viewer).audience, audiences)
}

/** Requires a valid filter, which may have the listed fields besides its own. */
export function requireFilter(name: string, filter: unknown, others: readonly string[] = []): void {
  requireFields(name, filter, filterChecks, others)
}

/** Requires an object whose fields pass their checks, and that has no further ones. */
function requireFields(
  name: string,
  value: unknown,
  checks: Readonly<Record<string, Check>>,
  others: readonly string[] = [],
): void {
  requireOnly(name, value, [...others, ...Object.keys(checks)])
  const fields = value as Readonly<Record<string, unknown>>
  for (const key of Object.keys(checks)) {
    const field = fields[key]
    if (field !== undefined && field !== null) checks[key]?.(`${name}.${key}`, field)
  }
}

function requireItems(name: string, value: unknown, check: Check): void {
  requireArray(name, value)
  for (const [i, item] of (value as readonly unknown[]).entries()) check(`${name}[${i}]`, item)
}

function requirePointer(name: string, value: unknown): void {
  if (typeof value !== 'string' || parsePointer(value) === undefined) {
    throw mismatch(name, 'a JSON pointer such as "/metadata/chunk"', value)
  }
}
