/**
 * Checks the package as a user gets it: packs it, lints the tarball (publint, attw), and uses it from an empty
 * project, as ES module, as CommonJS and from TypeScript. Needs `npm run build`.
 *
 * Environment: `TSC` is the compiler to check the declarations with, such as one of another version.
 * Defaults to the installed one.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (tool) => join(root, 'node_modules/.bin', tool)
const project = mkdtempSync(join(tmpdir(), 'turnstream-package-'))

function run(command, args, cwd = root) {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    console.error(error.stdout, error.stderr)
    throw new Error(`${command} ${args.join(' ')} failed`)
  }
}

try {
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', project])
  const tarball = join(
    project,
    readdirSync(project).find((file) => file.endsWith('.tgz')),
  )
  run(bin('publint'), ['run', tarball, '--strict'])
  console.log('publint: clean')
  run(bin('attw'), [tarball, '--profile', 'node16', '--exclude-entrypoints', './schemas/*'])
  console.log('attw: clean')

  // An empty project with the package and its dependencies in it, without asking a registry again.
  mkdirSync(join(project, 'node_modules/turnstream'), { recursive: true })
  run('tar', ['-xzf', tarball, '--strip-components=1', '-C', 'node_modules/turnstream'], project)
  const { dependencies, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  if (Object.keys(dependencies).join() !== 'zod') throw new Error('zod is to be the only dependency.')
  symlinkSync(join(root, 'node_modules/zod'), join(project, 'node_modules/zod'))
  const entries = Object.keys(exports)
    .filter((path) => !path.includes('*') && !/\.(json|html)$/.test(path))
    .map((path) => path.replace(/^\./, 'turnstream'))

  const use = `
    const decoded = core.decodeEvent({ kind: 'content-delta', contextId: 'c', taskId: 't', delta: 'x', index: 0, timestamp: '2026-01-31T10:30:00Z' })
    if (decoded.status !== 'known') throw new Error('decodeEvent does not work')
    const [message] = core.run(core.eventDecoder()).push(sse.encodeEvent(decoded.event, { viewer: 'all' }))
    if (message.status !== 'known') throw new Error('eventDecoder does not work')
    if (thoughts.extractThoughts('<thinking>a</thinking>b').content !== 'b') throw new Error('extractThoughts does not work')
  `
  const [core, sse, thoughts] = ['turnstream', 'turnstream/sse', 'turnstream/thoughts']
  writeFileSync(
    join(project, 'use.mjs'),
    `import * as core from '${core}'; import * as sse from '${sse}'; import * as thoughts from '${thoughts}'
     ${entries.map((entry) => `await import('${entry}')`).join('\n')}
     ${use}`,
  )
  writeFileSync(
    join(project, 'use.cjs'),
    `const core = require('${core}'), sse = require('${sse}'), thoughts = require('${thoughts}')
     ${entries.map((entry) => `require('${entry}')`).join('\n')}
     ${use}`,
  )
  run(process.execPath, ['use.mjs'], project)
  run(process.execPath, ['use.cjs'], project)
  console.log(`imported and required: ${entries.join(', ')}`)

  // Also what entry points do not load at once, but what runs by itself.
  const dist = join(project, 'node_modules/turnstream/dist')
  const modules = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js') && !file.endsWith('main.js'))
    .map((file) => pathToFileURL(join(dist, file)).href)
  writeFileSync(join(project, 'all.mjs'), modules.map((url) => `await import('${url}')`).join('\n'))
  run(process.execPath, ['all.mjs'], project)
  const binary = (...args) => run(process.execPath, [join(dist, 'cli/main.js'), ...args], project)
  const event = `{"kind":"task-created","contextId":"c","taskId":"t","initiator":"user","timestamp":"2026-01-31T10:30:00Z"}\n`
  writeFileSync(join(project, 'a.jsonl'), event)
  binary('viewer', 'a.jsonl', '--output', 'a.html')
  const { tasks } = JSON.parse(binary('inspect', 'a.jsonl', '--json'))
  if (tasks.length !== 1) throw new Error('turnstream inspect does not work')
  // The binary loads formats when they are needed, by names that the compiler does not check in what was built.
  const recordings = readdirSync(join(root, 'test/fixtures/recordings')).map((name) =>
    join(root, 'test/fixtures/recordings', name),
  )
  for (const recording of recordings) binary('validate', recording)
  for (const format of ['core', 'a2a', 'ag-ui', 'ai-sdk', 'frames', 'agent-event', 'session'])
    binary('convert', recordings[0], '--to', format)
  console.log(`loaded ${modules.length} modules; the binary reads ${recordings.length} recordings`)

  // The declarations must check without the settings this project happens to use.
  writeFileSync(
    join(project, 'use.ts'),
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
  cpSync(join(root, 'scripts/check-package-types.ts'), join(project, 'inferred.ts'))
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    const lib = ['es2022', 'dom', 'dom.iterable']
    const compilerOptions = {
      module,
      moduleResolution: resolution,
      target: 'es2022',
      lib,
      types: [],
      strict: true,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: 'out',
    }
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['use.ts', 'inferred.ts'] }),
    )
    run(process.env.TSC ?? bin('tsc'), ['--project', project])
  }
  console.log('type-checked with skipLibCheck off: nodenext, bundler')
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(project, { recursive: true, force: true })
}
