/** Asks the compiler whether a mutant is a legal program: one with a type error could not be committed. */
import { join } from 'node:path'
import ts from 'typescript'
import type { Mutant } from './mutants.ts'

/** Whether the changed file has no errors. */
export type Compiler = (mutant: Mutant) => boolean

/** A compiler of the sources in a project, which keeps what it knows between two mutants. */
export function createCompiler(root: string): Compiler {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options, fileNames } = ts.parseJsonConfigFileContent({ ...config, include: ['src'] }, ts.sys, root)
  let changed: { path: string; text: string } | undefined
  let version = 0
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames,
    getScriptVersion: (path) => (path === changed?.path ? `${version}` : '0'),
    getScriptSnapshot: (path) => {
      const text = path === changed?.path ? changed.text : ts.sys.readFile(path)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  })
  return ({ path, text }) => {
    changed = { path: join(root, path), text }
    version++
    return (
      service.getSyntacticDiagnostics(changed.path).length === 0 &&
      service.getSemanticDiagnostics(changed.path).length === 0
    )
  }
}
