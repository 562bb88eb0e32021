/** Rules of artifacts: their type, their versions and the rows of datasets. */

import { describeValue } from '../../../../core/require.ts'
import { toPointer } from '../../../../encoding/pointer.ts'
import { expectEqual } from '../../../../rules/expect.ts'
import { defineRule, ERROR_LENIENT_WARN, type Rules, WARN_LENIENT_OFF } from '../../../../rules/rule.ts'
import type { CheckContext, Checks } from '../../context.ts'
import type { ArtifactRuleName } from '../../rule-names.ts'
import type { ArtifactState, RowSchema } from '../../state/artifact-state.ts'
import { invalidColumn } from './row-schema.ts'

export const artifactRules: Rules<ArtifactRuleName> = {
  'artifact-type': defineRule(
    'K37',
    'inferred',
    ERROR_LENIENT_WARN,
    'An artifact stays a file, a record or a dataset, and each change fits its type.',
  ),
  'artifact-version': defineRule(
    'K38',
    'stated',
    ERROR_LENIENT_WARN,
    'A version of an artifact is one more than the version before.',
  ),
  'expected-version': defineRule(
    'K38',
    'added',
    ERROR_LENIENT_WARN,
    '`expectedVersion` and `baseVersion` are the current version of the artifact.',
  ),
  'rows-match-schema': defineRule(
    'K39',
    'inferred',
    WARN_LENIENT_OFF,
    'Rows match the dataset’s schema, as far as its `required` and the `type` of its `properties`.',
  ),
}

export const artifactChecks: Checks<'data-write' | 'artifact-delta'> = {
  'data-write'(context, { kind, artifactId, version, expectedVersion, metadata }) {
    const artifact = resolveArtifact(context, artifactId, 'data', '/kind', kind)
    if (artifact === undefined) return
    const { version: current } = artifact
    if (expectedVersion !== undefined && current !== null) {
      const name = 'version'
      expectEqual(context, 'expected-version', '/expectedVersion', current, expectedVersion, { name })
      // A write for an older version has no effect; one for a later version follows writes that are missing.
      if (expectedVersion < current) return
    }
    const path = version === undefined ? '/metadata/version' : '/version'
    const base = { ...artifact, version: expectedVersion ?? current }
    commitVersion(context, artifactId, base, version ?? metadata?.version ?? null, path)
  },

  'artifact-delta'(context, { artifactId, baseVersion, version, change }) {
    const type = change.type === 'text-append' ? 'file' : change.type === 'rows-append' ? 'dataset' : 'data'
    const artifact = resolveArtifact(context, artifactId, type, '/change/type', change.type)
    if (artifact === undefined) return
    const { version: current } = artifact
    if (hasNoVersion(artifact)) {
      const message = `baseVersion ${baseVersion} of artifact ${describeValue(artifactId)}, which has no complete version.`
      context.report('expected-version', message, { path: '/baseVersion', actual: baseVersion })
    } else if (current !== null) {
      expectEqual(context, 'expected-version', '/baseVersion', current, baseVersion)
      if (baseVersion < current) return
    }
    if (change.type === 'rows-append') checkRows(context, change.rows, artifact.rowSchema, '/change/rows')
    expectEqual(context, 'artifact-version', '/version', baseVersion + 1, version)
    if (version <= baseVersion) return
    commitVersion(context, artifactId, { ...artifact, version: null }, version, '/version')
  },
}

/**
 * The artifact of an event, or a new one. `undefined` if it has another type, which is reported.
 *
 * @param path - Of the field that needs the type.
 * @param actual - The value of the field.
 */
export function resolveArtifact(
  context: CheckContext,
  id: string,
  type: ArtifactState['type'],
  path: string,
  actual: string,
): ArtifactState | undefined {
  const known = context.get('artifacts', context.contextKey(id))
  if (known === undefined) {
    const [version, writers] = context.isPartial ? [null, null] : [0, []]
    return { type, version, pending: null, writers, rowSchema: null }
  }
  if (known.type === type) return known
  const message = `Expected a change of artifact ${describeValue(id)} of type ${known.type}, got ${actual}.`
  context.report('artifact-type', message, { path, actual })
  return undefined
}

/** Whether no version of an artifact was ever completed. */
function hasNoVersion({ version, writers }: ArtifactState): boolean {
  return version === 0 && writers?.length === 0
}

/** Reports the first row that does not match the schema of its dataset. */
export function checkRows(
  context: CheckContext,
  rows: readonly Record<string, unknown>[],
  schema: RowSchema | null,
  path: string,
): void {
  if (schema === null) return
  for (const [i, row] of rows.entries()) {
    const column = invalidColumn(row, schema)
    if (column === undefined) continue
    const value = Object.hasOwn(row, column) ? describeValue(row[column]) : 'no value'
    const message = `Expected row ${i} to match the schema of its dataset, got ${value} in column ${describeValue(column)}.`
    const actual = Object.hasOwn(row, column) ? { actual: row[column] } : {}
    context.report('rows-match-schema', message, { path: `${path}/${i}${toPointer([column])}`, ...actual })
    return
  }
}

/**
 * Makes a version the current one.
 *
 * @param path - Of the field with the version. `undefined` if the event has none.
 */
export function commitVersion(
  context: CheckContext,
  id: string,
  artifact: ArtifactState,
  given: number | null,
  path: string | undefined,
): void {
  const { version: current } = artifact
  const next = current === null ? null : current + 1
  if (given !== null && next !== null && !hasNoVersion(artifact)) {
    expectEqual(context, 'artifact-version', path, next, given, { name: 'version' })
  }
  const committed = given ?? next
  const version = committed === null ? null : Math.max(committed, current ?? 0)
  const writers = addWriter(artifact.writers, context.task.key)
  context.set('artifacts', context.contextKey(id), { ...artifact, version, writers })
}

/** The writers of an artifact are not stored if there are more. */
const MAX_WRITERS = 16

function addWriter(writers: ArtifactState['writers'], writer: string): ArtifactState['writers'] {
  if (writers === null || writers.includes(writer)) return writers
  return writers.length < MAX_WRITERS ? [...writers, writer] : null
}
