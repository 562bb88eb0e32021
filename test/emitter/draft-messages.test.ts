// Proves that the compiler names the draft a producer got wrong, and does not print how its type is built.
import ts from 'typescript'
import { expect, it } from 'vitest'
import { absolute } from '../support/sources.ts'

const cases: readonly [what: string, code: string, names: string][] = [
  [
    'a missing field',
    "emit({ kind: 'tool-start', toolCallId: 'c', toolName: 't' })",
    'DraftOf<"tool-start">',
  ],
  ['a misspelled field', "emit({ kind: 'content-delta', delta: '', idnex: 7 })", "'index'"],
  ['a misspelled kind', "emit({ kind: 'content_delta', delta: '' })", '"content-delta"'],
  ['a wrong value', "emit({ kind: 'task-status', status: 'done' })", 'TaskStatus'],
  [
    'a declared draft',
    "export const draft: EventDraft<'tool-start'> = { kind: 'tool-start', toolCallId: 'c', toolName: 't' }",
    'DraftOf<"tool-start">',
  ],
]

const head =
  "import { createEmitter, type EventDraft } from 'turnstream'\nconst { emit } = createEmitter({ contextId: 'c', taskId: 't' })\n"

it('the compiler names the draft', { timeout: 60_000 }, () => {
  const root = absolute('').replace(/\/src\/$/, '')
  const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const host = ts.createCompilerHost({ ...options, noUnusedLocals: false })
  const files = new Map(cases.map(([, code], i) => [`${root}/test/draft-${i}.ts`, head + code]))
  const { getSourceFile } = host
  host.getSourceFile = (name, target, ...rest) => {
    const text = files.get(name)
    return text === undefined ? getSourceFile(name, target, ...rest) : ts.createSourceFile(name, text, target)
  }
  const program = ts.createProgram([...files.keys()], { ...options, noUnusedLocals: false }, host)
  const messages = [...files.keys()].map((name) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(name))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
      .join('\n'),
  )
  for (const [i, [what, , names]] of cases.entries()) {
    expect([what, messages[i]]).toEqual([what, expect.stringContaining(names)])
    expect(messages[i]).not.toMatch(/Omit<|Pick<|Partial</)
  }
})
