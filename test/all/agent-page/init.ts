/** From an empty folder to an approval in Chromium, by the commands that the README names. */
import { ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { command } from '../command.ts'
import type { Lab } from '../lab.ts'
import type { Step } from '../step.ts'
import { freePort, say } from './shop.ts'

const MAX_SECONDS = 60

export const initSteps: readonly Step[] = [{ name: 'turnstream init, in Chromium', run: fromNothing }]

async function fromNothing(lab: Lab): Promise<string> {
  await lab.project()
  const browser = await lab.browser()
  const tarball = join(lab.temporary, readdirSync(lab.temporary).find((file) => file.endsWith('.tgz')) ?? '')
  const cwd = mkdtempSync(join(lab.temporary, 'empty-'))
  const folder = join(cwd, 'my-agent')
  const start = performance.now()
  await command('npx', ['--yes', `--package=${tarball}`, 'turnstream', 'init', 'my-agent'], { cwd })
  // The version of the checkout is not published: the project takes the same files from the tarball.
  await command('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: folder })
  const port = await freePort()
  const server = spawn('npm', ['start', '--', String(port)], { cwd: folder, stdio: 'ignore', detached: true })
  const page = await browser.newPage()
  try {
    await untilServed(`http://localhost:${port}`)
    await page.goto(`http://localhost:${port}`)
    await say(page, 'lunch')
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    const seconds = (performance.now() - start) / 1000
    ok(seconds < MAX_SECONDS, `expected a button to approve within ${MAX_SECONDS} s, got it after ${seconds}`)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('It is done: {"paid":5}').waitFor()
    await command('npm', ['run', 'check'], { cwd: folder })
    return `from an empty folder to a button to approve in ${seconds.toFixed(0)} s, and its types are right`
  } finally {
    await page.close()
    // npm runs the server in a shell.
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid)
  }
}

async function untilServed(url: string): Promise<void> {
  const end = performance.now() + MAX_SECONDS * 1000
  while (performance.now() < end) {
    if (
      await fetch(url).then(
        (response) => response.ok,
        () => false,
      )
    )
      return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`expected a page at ${url}, got no answer in ${MAX_SECONDS} s`)
}
