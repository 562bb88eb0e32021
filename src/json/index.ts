/**
 * JSON: the value of JSON text while it is written, JSON Patch and JSON Merge Patch.
 *
 * @packageDocumentation
 */

export { applyMergePatch } from './merge-patch.ts'
export { parsePartialJson, partialJson } from './partial/partial-json.ts'
export type { PartialJson } from './partial/state.ts'
export { applyJsonPatch } from './patch.ts'
export type { Patched } from './patched.ts'
