/** A coding agent that speaks ACP, in a process of its own, on the page of the agent example in Chromium. */
import { deepStrictEqual } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import { acpAgent } from 'turnstream/acp'
import { agentHandler, memoryStore } from 'turnstream/server'
import { pageServer } from '../../../examples/agent/page-server.ts'
import { userOf } from '../../../examples/agent/shop.ts'
import { freePort, say } from '../agent-page/shop.ts'
import { build } from '../build.ts'
import type { Lab } from '../lab.ts'
import type { Step } from '../step.ts'

export const acpSteps: readonly Step[] = [
  { name: 'ACP: a coding agent in a page that is reloaded, in Chromium', run: onPage },
]

async function onPage(lab: Lab): Promise<string> {
  // The page is bundled with the build.
  const [browser] = await Promise.all([lab.browser(), build(lab.root)])
  const coders: ChildProcess[] = []
  const errors: unknown[] = []
  const agent = acpAgent({
    onDiagnostic: (diagnostic) => errors.push(diagnostic),
    connect() {
      const coder = spawn(process.execPath, ['--import', 'tsx', join(lab.root, 'test/all/acp/coder.ts')], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      coders.push(coder)
      const stream = ndJsonStream(
        Writable.toWeb(coder.stdin),
        Readable.toWeb(coder.stdout) as ReadableStream<Uint8Array>,
      )
      return { ...stream, close: () => coder.kill() }
    },
  })
  const store = memoryStore()
  const onError = (error: unknown): void => void errors.push(error)
  const server = await pageServer(agentHandler({ store, user: userOf, agent, onError }))
  const port = await freePort()
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const page = await browser.newPage()
  page.on('pageerror', onError)
  try {
    await page.goto(`http://localhost:${port}`)
    await say(page, 'Write it.')
    await page.getByText('I write the').waitFor()
    await page.reload()
    await page.getByText('Write {"path":"/answer.txt"}').waitFor()
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.locator('section[data-status=completed]').waitFor()
    const shown = [
      'Read {"path":"/old.txt"} The tool failed.',
      'Read {"path":"/notes.txt"} "42"',
      'I write the answer to a file, once I may.',
      'Write {"path":"/answer.txt"} "written"',
      'It is written.',
    ]
    deepStrictEqual(
      (await page.locator('section p').allTextContents()).map((text) => text.trim()),
      shown,
    )
    // The page shows no thoughts; its stream has them.
    const stream = await page.evaluate(async () => {
      const { body } = await fetch('/agent')
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      while (!text.includes('It is written.')) text += (await reader?.read())?.value ?? ''
      await reader?.cancel()
      return text
    })
    deepStrictEqual(/"content":"Where may it be\?"/.test(stream), true, 'the thought')
    await say(page, 'Again.')
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByText('I leave it.').waitFor()
    await page.locator('section[data-status=completed]').nth(1).waitFor()
    for (const coder of coders)
      if (coder.exitCode === null && coder.signalCode === null) await once(coder, 'exit')
    deepStrictEqual(errors, [], 'errors')
    return `${shown.length} parts after two reloads; ${coders.length} processes, which have ended`
  } finally {
    await page.close()
    for (const coder of coders) coder.kill()
    server.closeAllConnections()
    server.close()
    await store.close()
  }
}
