/** The pages docs/hosts/bun.md, deno.md and workers.md: an agent that asks is served, and answered from another page. */
import { equal } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { agentClient } from 'turnstream/client'
import type { Lab } from '../lab.ts'
import { bundlePage } from '../recipes/bundle-page.ts'
import type { Step } from '../step.ts'
import { binaries, installed } from './binaries.ts'

/** Also for the lease of an object that was killed. */
const WAIT_MS = 60_000

export const hostSteps: readonly Step[] = [
  {
    name: 'host: Bun',
    run: (lab) => inProcess(lab, 'bun', (file) => spawn(installed(lab, binaries.bun), ['run', file])),
  },
  {
    name: 'host: Deno',
    run: (lab) =>
      inProcess(lab, 'deno', (file) =>
        spawn(installed(lab, binaries.deno), ['run', '--no-prompt', '--allow-net', '--no-lock', file]),
      ),
  },
  { name: 'host: Workers, a Durable Object that is started again', run: inObject },
]

/** Starts a server that prints its port, and talks to its agent. */
async function inProcess(lab: Lab, name: string, start: (file: string) => ChildProcess): Promise<string> {
  const child = start(join(await bundled(lab, name), `${name}.mjs`))
  try {
    const url = `http://127.0.0.1:${await lineOf(child, child.stdout)}/agent`
    await ask(url)
    await answer(url)
    return 'an approval'
  } finally {
    child.kill()
  }
}

async function inObject(lab: Lab): Promise<string> {
  const cwd = await bundled(lab, 'workers')
  cpSync(join(lab.root, 'test/all/runtimes/hosts.capnp'), join(cwd, 'hosts.capnp'))
  cpSync(mkdtempSync(join(lab.temporary, 'objects-')), join(cwd, 'objects'), { recursive: true })
  const serve = async (): Promise<readonly [ChildProcess, url: string]> => {
    const child = spawn(installed(lab, binaries.workerd), ['serve', 'hosts.capnp', '--control-fd=3'], {
      ...{ cwd, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
    })
    // It writes the port it listens on to that file descriptor.
    const { port } = JSON.parse(await lineOf(child, child.stdio[3] as Readable)) as { readonly port: number }
    return [child, `http://127.0.0.1:${port}/agent`]
  }
  let [child, url] = await serve()
  try {
    await ask(url)
    child.kill('SIGKILL')
    ;[child, url] = await serve()
    await answer(url)
    return 'an approval that waited while the object was not there'
  } finally {
    child.kill()
  }
}

async function bundled(lab: Lab, name: string): Promise<string> {
  const folder = mkdtempSync(join(lab.temporary, `host-${name}-`))
  const entry = join(lab.root, `test/all/runtimes/hosts/${name}.ts`)
  writeFileSync(join(folder, `${name}.mjs`), await bundlePage(entry, await lab.project()))
  return folder
}

async function lineOf(child: ChildProcess, from: Readable | null): Promise<string> {
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  const [line] = await Promise.race([
    once(createInterface({ input: from ?? process.stdin }), 'line'),
    once(child, 'exit').then(() => {
      throw new Error(`it did not start: ${complaint}`)
    }),
  ])
  return String(line)
}

/** Sends a message, and waits until the agent asks. */
async function ask(url: string): Promise<void> {
  const page = agentClient(url)
  await page.send('lunch')
  await shown(page, () => page.getSnapshot().requests.length === 1)
}

/** Approves on another page, and waits for the end of the task. */
async function answer(url: string): Promise<void> {
  const page = agentClient(url)
  await shown(page, () => page.getSnapshot().requests.length === 1)
  await page.approve(page.getSnapshot().requests[0] ?? '')
  await shown(page, () => page.getSnapshot().view.tasks[0]?.status === 'completed')
  const texts = page.getSnapshot().view.tasks[0]?.parts.map((part) => (part.type === 'text' ? part.text : ''))
  equal(texts?.join(''), 'I will pay. Paid.')
}

async function shown(page: ReturnType<typeof agentClient>, isShown: () => boolean): Promise<void> {
  const stop = page.subscribe(() => {})
  try {
    for (const end = Date.now() + WAIT_MS; !isShown(); await sleep(50))
      if (Date.now() > end) throw new Error(`not shown: ${JSON.stringify(page.getSnapshot())}`)
  } finally {
    stop()
  }
}
