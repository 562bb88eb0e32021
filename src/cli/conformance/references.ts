/** References of cases to the published examples. */
import { readFile } from 'node:fs/promises'
import { readPointer } from '../../encoding/pointer.ts'

/** Values with each `{ "$ref": "<file>#<pointer>" }` in them replaced by what it refers to. */
export async function resolveReferences<T>(values: readonly T[], folder: URL): Promise<T[]> {
  const files = new Map<string, unknown>()
  for (const path of new Set(values.flatMap((each) => pathsIn(each)))) {
    files.set(path, JSON.parse(await readFile(new URL(path, folder), 'utf8')))
  }
  return values.map((each) => resolved(each, files) as T)
}

/** The files that a value refers to. */
function pathsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const reference = referenceIn(value)
  return reference === undefined ? Object.values(value).flatMap(pathsIn) : [reference.path]
}

function resolved(value: unknown, files: ReadonlyMap<string, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const reference = referenceIn(value)
  if (reference !== undefined) {
    const file = files.get(reference.path)
    return reference.pointer === '' ? file : readPointer(file, reference.pointer)
  }
  if (Array.isArray(value)) return value.map((item) => resolved(item, files))
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolved(inner, files)]))
}

function referenceIn(value: object): { readonly path: string; readonly pointer: string } | undefined {
  const { $ref } = value as { $ref?: unknown }
  if (typeof $ref !== 'string' || Object.keys(value).length !== 1) return undefined
  const at = $ref.indexOf('#')
  return at < 0 ? { path: $ref, pointer: '' } : { path: $ref.slice(0, at), pointer: $ref.slice(at + 1) }
}
