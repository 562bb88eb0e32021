/** JSON Patch and JSON Merge Patch. */

export { applyJsonPatch, applyMergePatch, type Patched } from './patch.ts'
