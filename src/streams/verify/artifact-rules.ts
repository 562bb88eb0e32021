/** The rules of artifacts. */
import { defineRule, hint, mostly, type RuleMeta, strictly } from './rule.ts'

export type ArtifactRuleName =
  | 'chunk-index'
  | 'chunk-metadata'
  | 'chunk-decodes'
  | 'size-hints'
  | 'artifact-type'
  | 'one-write'
  | 'artifact-version'
  | 'expected-version'
  | 'rows-match-schema'

export const artifactRules: Readonly<Record<ArtifactRuleName, RuleMeta>> = {
  'chunk-index': defineRule(
    'K34',
    'stated',
    mostly,
    'The chunks of a file and the batches of a dataset are numbered 0, 1, 2 and so on; after the last one a new write begins at 0.',
  ),
  'chunk-metadata': defineRule(
    'K34',
    'stated',
    strictly,
    'Name, description, type, encoding and schema are said with the first chunk; a later one may repeat, but not change them.',
  ),
  'chunk-decodes': defineRule(
    'K35',
    'inferred',
    mostly,
    'Each chunk can be read by itself: Base64 decodes, and text has no half of a surrogate pair.',
  ),
  'size-hints': defineRule(
    'K36',
    'inferred',
    hint,
    '`totalSize` and `totalRows` are what there is in the end.',
  ),
  'artifact-type': defineRule(
    'K37',
    'inferred',
    mostly,
    'An artifact stays a file, a record or a dataset, and is changed by what changes such.',
  ),
  'one-write': defineRule(
    'K37',
    'inferred',
    mostly,
    'A write is completed before another one of the artifact begins.',
  ),
  'artifact-version': defineRule(
    'K38',
    'stated',
    mostly,
    'The version of an artifact, where it is told, is one more than before.',
  ),
  'expected-version': defineRule(
    'K38',
    'added',
    mostly,
    '`expectedVersion` and `baseVersion` are the current version of the artifact.',
  ),
  'rows-match-schema': defineRule(
    'K39',
    'inferred',
    ['warn', 'warn', 'off'],
    'Rows have what the dataset’s schema requires. Checked as far as its `required` and the `type` of its `properties` say.',
  ),
}
