/** JSON Patch and JSON Merge Patch. */

export { applyJsonPatch, applyMergePatch, type Patched, type PatchFailure } from './patch.ts'
