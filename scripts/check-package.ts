/**
 * Checks the package as a user gets it: packs it, lints the tarball, and uses it from an empty project, as ES module,
 * as CommonJS and from TypeScript. Needs `npm run build`.
 *
 * Environment: `TSC` is another compiler to check the declarations with than that of `npm run typecheck`. attw, which
 * loads a compiler of its own, runs then as well.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import packageJson from '../package.json' with { type: 'json' }
import { entryPoints } from './entry-points.ts'
import { packProject } from './package-sizes.ts'

const { TSC } = process.env
const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (tool: string): string => join(root, 'node_modules/.bin', tool)
const entries = entryPoints.map(({ name }) => name)

function run(command: string, args: readonly string[], cwd = root): string {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    console.error(stdout, stderr)
    throw new Error(`${command} ${args.join(' ')} failed`)
  }
}

/** Lints the tarball. */
function lint(tarball: string): void {
  run(bin('publint'), ['run', tarball, '--strict'])
  console.log('publint: clean')
  if (Object.keys(packageJson.dependencies).join() !== 'zod')
    throw new Error('zod is to be the only dependency.')
  if (TSC === undefined) return
  run(bin('attw'), [tarball, '--profile', 'node16', '--exclude-entrypoints', './schemas/*'])
  console.log('attw: clean')
}

/** Imports and requires every entry point, and uses some. */
function useModules(folder: string): void {
  const use = `
    const decoded = core.decodeEvent({ kind: 'content-delta', contextId: 'c', taskId: 't', delta: 'x', index: 0, timestamp: '2026-01-31T10:30:00Z' })
    if (decoded.status !== 'known') throw new Error('decodeEvent does not work')
    const [message] = core.run(core.eventDecoder()).push(sse.encodeEvent(decoded.event, { viewer: 'all' }))
    if (message.status !== 'known') throw new Error('eventDecoder does not work')
    if (thoughts.extractThoughts('<thinking>a</thinking>b').content !== 'b') throw new Error('extractThoughts does not work')
  `
  writeFileSync(
    join(folder, 'use.mjs'),
    `import * as core from 'turnstream'; import * as sse from 'turnstream/sse'; import * as thoughts from 'turnstream/thoughts'
     ${entries.map((entry) => `await import('${entry}')`).join('\n')}
     ${use}`,
  )
  writeFileSync(
    join(folder, 'use.cjs'),
    `const core = require('turnstream'), sse = require('turnstream/sse'), thoughts = require('turnstream/thoughts')
     ${entries.map((entry) => `require('${entry}')`).join('\n')}
     ${use}`,
  )
  run(process.execPath, ['use.mjs'], folder)
  run(process.execPath, ['use.cjs'], folder)
  console.log(`imported and required: ${entries.join(', ')}`)
}

/** Loads every file of the package, also what entry points do not load at once, and runs the binary. */
function useBinary(folder: string): void {
  const dist = join(folder, 'node_modules/turnstream/dist')
  const modules = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js') && !file.endsWith('main.js'))
    .map((file) => pathToFileURL(join(dist, file)).href)
  writeFileSync(join(folder, 'all.mjs'), modules.map((url) => `await import('${url}')`).join('\n'))
  run(process.execPath, ['all.mjs'], folder)
  const binary = join(dist, 'cli/main.js')
  const event = `{"kind":"task-created","contextId":"c","taskId":"t","initiator":"user","timestamp":"2026-01-31T10:30:00Z"}\n`
  writeFileSync(join(folder, 'a.jsonl'), event)
  const inspected = run(process.execPath, [binary, 'inspect', 'a.jsonl', '--json'], folder)
  const { tasks } = JSON.parse(inspected) as { readonly tasks: readonly unknown[] }
  if (tasks.length !== 1) throw new Error('turnstream inspect does not work')
  // The binary loads formats when they are needed, by names that the compiler does not check in what was built.
  const recordings = readdirSync(join(root, 'test/fixtures/recordings')).map((name) =>
    join(root, 'test/fixtures/recordings', name),
  )
  const formats = ['core', 'a2a', 'ag-ui', 'ai-sdk', 'frames', 'agent-event', 'session', 'openai-chat']
  const commands = [
    ['viewer', 'a.jsonl', '--output', 'a.html'],
    ...recordings.map((recording) => ['validate', recording]),
    ...formats.map((format) => ['convert', recordings[0], '--to', format]),
  ]
  // In one process: each import with another query runs the binary again.
  writeFileSync(
    join(folder, 'commands.mjs'),
    `for (const [n, command] of ${JSON.stringify(commands)}.entries()) {
       process.argv = [process.execPath, 'turnstream', ...command]
       await import(${JSON.stringify(pathToFileURL(binary).href)} + '?' + n)
       if (process.exitCode !== 0) throw new Error(command.join(' ') + ' exits with ' + process.exitCode)
     }`,
  )
  run(process.execPath, ['commands.mjs'], folder)
  console.log(`loaded ${modules.length} modules; the binary reads ${recordings.length} recordings`)
}

/** Checks the declarations, without the settings that this project happens to use. */
function useTypes(folder: string): void {
  writeFileSync(
    join(folder, 'use.ts'),
    `${entries.map((entry, i) => `import * as m${i} from '${entry}'; void m${i}`).join('\n')}
     import { type ContextAnyEvent, decodeEvent } from 'turnstream'
     export function textOf(event: ContextAnyEvent): string | undefined {
       switch (event.kind) {
         case 'content-delta': return event.delta
         case 'thought-stream': return event.metadata?.confidence === 1 ? event.content : undefined
         default: return undefined
       }
     }
     const decoded = decodeEvent(null)
     export const kind: string | undefined = decoded.status === 'invalid' ? decoded.issues[0]?.path : decoded.event.kind`,
  )
  // Exported variables whose types are inferred must be nameable in the declarations of another package.
  cpSync(join(root, 'scripts/check-package-types.ts'), join(folder, 'inferred.ts'))
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    const compilerOptions = {
      ...{ module, moduleResolution, target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
      ...{ strict: true, declaration: true, emitDeclarationOnly: true, outDir: 'out' },
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['use.ts', 'inferred.ts'] }),
    )
    run(TSC ?? join(root, 'node_modules/typescript-7/bin/tsc'), ['--project', folder])
  }
  console.log('type-checked with skipLibCheck off: nodenext, bundler')
}

const project = packProject()
try {
  const { folder } = project
  lint(join(folder, `turnstream-${packageJson.version}.tgz`))
  useModules(folder)
  useBinary(folder)
  useTypes(folder)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  project.remove()
}
