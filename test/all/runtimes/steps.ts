/** The packed library in each runtime. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { build } from 'esbuild'
import { serveStreams } from '../chromium/stream-server.ts'
import { command } from '../command.ts'
import type { Lab } from '../lab.ts'
import { Skipped, type Step } from '../step.ts'
import { binaries, installed } from './binaries.ts'

/** The result of the checks. */
interface Verdict {
  readonly runtime: string
  readonly passed: readonly string[]
  readonly failed: readonly { readonly name: string; readonly error: string }[]
}

/** Runtimes that run a file: which binary, the arguments before the file, and the file. */
const commands = [
  { name: 'Node 20, ES modules', binary: nodeBinary(20), args: [], file: 'smoke.mjs' },
  { name: 'Node 20, CommonJS', binary: nodeBinary(20), args: [], file: 'smoke.cjs' },
  { name: 'Node 22, ES modules', binary: nodeBinary(22), args: [], file: 'smoke.mjs' },
  { name: 'Node 22, CommonJS', binary: nodeBinary(22), args: [], file: 'smoke.cjs' },
  { name: 'Node 24, ES modules', binary: nodeBinary(24), args: [], file: 'smoke.mjs' },
  { name: 'Node 24, CommonJS', binary: nodeBinary(24), args: [], file: 'smoke.cjs' },
  {
    name: 'Bun',
    binary: binaries.bun,
    args: ['run'],
    file: 'smoke.mjs',
  },
  {
    name: 'Deno',
    binary: binaries.deno,
    // Without any permission, and without asking for one.
    args: ['run', '--no-prompt', '--node-modules-dir=manual', '--cached-only', '--no-lock'],
    file: 'smoke.mjs',
  },
]

export const runtimeSteps: readonly Step[] = [
  ...commands.map(
    ({ name, binary, args, file }): Step => ({
      name: `runtime: ${name}`,
      async run(lab) {
        const path = installed(lab, binary)
        const cwd = await lab.project()
        const printed = await command(path, [...args, join('runtimes', file)], { cwd })
        return judge(JSON.parse(printed.trim().split('\n').at(-1) ?? ''))
      },
    }),
  ),
  { name: 'runtime: workerd', run: inWorkerd },
  { name: 'runtime: Chromium', run: inChromium },
  { name: 'runtime: Vite, built for a server', run: builtByVite },
]

/** Returns how many checks passed. Throws if any failed. */
function judge({ runtime, passed, failed }: Verdict): string {
  if (failed.length > 0 || passed.length === 0) {
    throw new Error([`${runtime}:`, ...failed.map(({ name, error }) => `  ${name}: ${error}`)].join('\n'))
  }
  return `${passed.length} checks in ${runtime}`
}

function nodeBinary(major: number): RegExp {
  return new RegExp(`^node${major}-.*/bin/node$`)
}

async function inWorkerd(lab: Lab): Promise<string> {
  const binary = installed(lab, binaries.workerd)
  const folder = join(await lab.project(), 'runtimes')
  await bundled(join(folder, 'worker.mjs'), join(folder, 'worker.bundle.mjs'))
  cpSync(join(lab.root, 'test/all/runtimes/workerd.capnp'), join(folder, 'workerd.capnp'))

  const child = spawn(binary, ['serve', 'workerd.capnp', '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  try {
    // It writes the port it listens on to that file descriptor.
    const lines = createInterface({ input: child.stdio[3] as Readable })
    const [line] = await Promise.race([
      once(lines, 'line'),
      once(child, 'exit').then(() => {
        throw new Error(`workerd did not start: ${complaint}`)
      }),
    ])
    const { port } = JSON.parse(line)
    const response = await fetch(`http://127.0.0.1:${port}/`)
    const answer = await response.text()
    if (!response.ok) throw new Error(`workerd answered ${response.status}: ${answer}${complaint}`)
    return judge(JSON.parse(answer))
  } finally {
    child.kill()
  }
}

async function inChromium(lab: Lab): Promise<string> {
  const browser = await lab.browser()
  const folder = join(await lab.project(), 'runtimes')
  const bundle = join(folder, 'smoke.bundle.mjs')
  await bundled(join(folder, 'smoke.mjs'), bundle)
  // A page from a server on this machine is a secure context; a blank one has no crypto.randomUUID.
  const server = await serveStreams([])
  const page = await browser.newPage()
  try {
    await page.goto(server.url)
    const printed = page.waitForEvent('console', (message) => message.type() === 'log')
    await page.addScriptTag({ path: bundle, type: 'module' })
    return judge(JSON.parse((await printed).text()))
  } finally {
    await page.close()
    server.close()
  }
}

/** With the library in the bundle, as frameworks build what renders pages on servers. */
async function builtByVite(lab: Lab): Promise<string> {
  const vite = join(lab.root, 'test/all/runtimes/node_modules/vite/bin/vite.js')
  if (!existsSync(vite)) throw new Skipped('it is not installed: run `npm install` in test/all/runtimes')
  const cwd = await lab.project()
  writeFileSync(join(cwd, 'vite.config.mjs'), 'export default { ssr: { noExternal: true } }')
  const args = ['build', '--ssr', 'runtimes/smoke.mjs', '--outDir', 'vite', '--logLevel', 'error']
  await command(process.execPath, [vite, ...args], { cwd })
  const printed = await command(process.execPath, [join('vite', 'smoke.mjs')], { cwd })
  return judge(JSON.parse(printed.trim().split('\n').at(-1) ?? ''))
}

async function bundled(from: string, to: string): Promise<void> {
  await build({ entryPoints: [from], outfile: to, bundle: true, format: 'esm', logLevel: 'error' })
}
