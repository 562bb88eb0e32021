/** An independent source: JSON Schemas that another tool derives from the emitted declarations. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { generateSchema, getProgramFromFiles } from 'typescript-json-schema'
import { type JsonSchema, mapSchema, sameJson } from '../../src/cli/schema/json-schema.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ZOD = join(ROOT, 'node_modules/zod/mini/index.d.ts')

/** A change of one emitted declaration file. */
export interface Edit {
  /** Path within `src/`, without `.ts`. */
  readonly file: string
  readonly from: string
  readonly to: string
  /** Only after this text, such as the name of an interface. */
  readonly after: string
}

/** A type and the file that declares it. */
export interface Declared {
  readonly file: string
  readonly name: string
}

/** Derives the schemas of types from the published declarations, optionally with edits. */
export function declaredSchemas(types: readonly Declared[], edits: readonly Edit[] = []): JsonSchema[] {
  const out = mkdtempSync(join(tmpdir(), 'turnstream-declarations-'))
  try {
    emit(
      types.map(({ file }) => join(ROOT, file)),
      out,
    )
    for (const edit of edits) apply(edit, out)
    const program = getProgramFromFiles(
      types.map(({ file }) => join(out, file.replace(/^src\//, '').replace(/\.ts$/, '.d.ts'))),
      {
        // With Node's resolution, definitions would be named after local paths.
        module: 'esnext',
        moduleResolution: 'bundler',
        target: 'es2022',
        lib: ['es2022'],
        types: [],
        paths: { 'zod/mini': [ZOD] },
        strict: true,
        exactOptionalPropertyTypes: true,
        allowImportingTsExtensions: true,
        skipLibCheck: true,
        noEmit: true,
      },
      out,
    )
    return types.map(({ name }) => {
      const schema = generateSchema(program, name, { required: true, ignoreErrors: true })
      if (schema === null) throw new Error(`No schema could be read of ${name}.`)
      return mapSchema(schema as JsonSchema, readOpenStrings)
    })
  } finally {
    rmSync(out, { recursive: true })
  }
}

/** `string & {}` keeps a union of well-known strings open, but the tool treats `{}` as an object. */
function readOpenStrings(schema: JsonSchema): JsonSchema {
  const anything = schema.allOf?.find((part) => sameJson(part, { type: 'object', properties: {} }))
  if (anything === undefined || !schema.allOf?.some((part) => part.type === 'string')) return schema
  return { ...schema, allOf: schema.allOf.filter((part) => part !== anything) }
}

function emit(files: readonly string[], out: string): void {
  const program = ts.createProgram({
    rootNames: files,
    options: {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2022,
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: join(ROOT, 'src'),
      outDir: out,
    },
  })
  if (program.emit().emitSkipped) throw new Error('The declarations could not be emitted.')
}

function apply({ file, from, to, after }: Edit, out: string): void {
  const path = join(out, `${file}.d.ts`)
  const text = readFileSync(path, 'utf8')
  const at = text.indexOf(from, text.indexOf(after))
  if (!text.includes(after) || at === -1) throw new Error(`${file} has no ${from} after ${after}.`)
  writeFileSync(path, text.slice(0, at) + to + text.slice(at + from.length))
}
