/** One conversation in five clients at once: the page of the example, `useChat`, `HttpAgent`, assistant-ui and the Python client of A2A. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { pythonWithSdk } from '../a2a/sdks.ts'
import { agUiPage } from '../assistant-ui/ag-ui-page.ts'
import type { Lab } from '../lab.ts'
import { bundlePage } from '../recipes/bundle-page.ts'
import { FORECAST, recorded } from './recorded-model.ts'
import { inShop, type Shop, say } from './shop.ts'

/** What the client of A2A is given: an item of a response, or a task. */
interface Item {
  readonly task?: { readonly id: string }
  readonly statusUpdate?: { readonly status?: { readonly state: string } }
  readonly artifacts?: readonly { readonly parts: readonly { readonly text?: string }[] }[]
}

/** What all clients show in the end. */
const forecast = 'It is done: {"city":"京都","celsius":21}'
const texts = [
  ...['Book the trip.', 'tea', 'cake', 'soup'].flatMap((input) => [
    `I will pay for ${input}, as you have asked.`,
    'It is done: {"paid":5}',
  ]),
  ...[recorded, forecast],
]

export async function everyClient(lab: Lab): Promise<string> {
  const assistantUi = await agUiPage(lab, 'assistant-ui')
  const python = await pythonWithSdk(lab, '1.0')
  const script = join(lab.root, 'test/all/agent-page/a2a_client.py')
  const project = await lab.project()
  const pages = {
    'use-chat': await bundlePage(join(lab.root, 'examples/use-chat/page.ts'), project),
    'assistant-ui': assistantUi,
    'ag-ui': await bundlePage(join(lab.root, 'test/all/agent-page/ag-ui-page.ts'), project),
  }
  return inShop(lab, (shop) => converse(shop, a2aClient(python, script, `${shop.url}/agent/a2a`)), pages)
}

async function converse({ browser, open, kill, start }: Shop, { call, sent }: A2aClient): Promise<string> {
  const ann = await browser('ann')
  const page = await open(ann)
  const chat = await open(ann, 'use-chat')
  const agUi = await open(await browser('ann'), 'ag-ui')
  const approval = (where: Page) => where.getByRole('button', { name: 'Approve' })
  const done = async (nth: number, ...where: Page[]): Promise<void> => {
    for (const each of where) await each.getByText('It is done: {"paid":5}').nth(nth).waitFor()
  }

  // useChat sends, HttpAgent approves.
  await chat.click('#send')
  for (const each of [page, chat]) await approval(each).waitFor()
  await agUi.reload()
  await approval(agUi).click()
  await done(0, page, chat, agUi)

  // A2A sends and subscribes, useChat approves.
  const tea = await sent('tea')
  await approval(page).waitFor()
  const following = call('subscribe', { id: tea })
  await following.hasBegun
  await chat.reload()
  await approval(chat).click()
  await done(1, page, chat)
  ok(
    (await following.items).some(
      ({ statusUpdate }) => statusUpdate?.status?.state === 'TASK_STATE_COMPLETED',
    ),
  )

  // HttpAgent sends, the page approves after a restart.
  await agUi.reload()
  await agUi.locator('main[data-status=ready]').waitFor()
  await say(agUi, 'cake')
  await approval(agUi).waitFor()
  await kill()
  await start()
  await page.locator('main[data-connection=open]').waitFor()
  await approval(page).click()
  await done(2, page)

  // A2A sends and answers, over another restart and while the pages are offline.
  const soup = await sent('soup')
  await ann.setOffline(true)
  await kill()
  await start()
  const answer = { taskId: soup, parts: [{ data: { approved: true } }] }
  await call('send', { message: messageOf(answer) }).items
  await ann.setOffline(false)
  await done(3, page)
  for (const each of [chat, agUi]) {
    await each.reload()
    await done(3, each)
  }

  // assistant-ui sends, and a recording answers. It is reloaded in the middle; useChat approves after a restart.
  const assistantUi = await open(await browser('ann'), 'assistant-ui')
  await done(3, assistantUi)
  await assistantUi.fill('textarea', FORECAST)
  await assistantUi.press('textarea', 'Enter')
  await assistantUi.getByText('Bonjour').waitFor()
  await assistantUi.reload()
  for (const each of [page, assistantUi]) await approval(each).waitFor()
  await kill()
  await start()
  await chat.reload()
  await approval(chat).click()
  for (const each of [page, chat]) await each.getByText(forecast).waitFor()
  for (const each of [agUi, assistantUi]) {
    await each.reload()
    await each.getByText(forecast).waitFor()
  }

  const shown = {
    page: (await page.locator('section p').allTextContents()).filter((text) => texts.includes(text)),
    useChat: await chat.locator('.assistant p').allTextContents(),
    // A message with calls has no text.
    httpAgent: (await agUi.locator('p.assistant').allTextContents()).filter((text) => text !== ''),
    assistantUi: (await assistantUi.locator('p').allTextContents()).filter((text) => texts.includes(text)),
  }
  deepStrictEqual(shown, { page: texts, useChat: texts, httpAgent: texts, assistantUi: texts })
  for (const [id, place] of [
    [tea, 2],
    [soup, 6],
  ] as const) {
    const [task] = await call('get', { id }).items
    const parts = task?.artifacts?.flatMap((artifact) => artifact.parts) ?? []
    deepStrictEqual(parts.map(({ text }) => text).join(''), texts.slice(place, place + 2).join(''))
  }
  return 'five tasks, each sent and approved by another client, over three kills: all show the same'
}

const messageOf = (more: object): object => ({
  ...{ messageId: crypto.randomUUID(), contextId: 'main', role: 'ROLE_USER' },
  ...more,
})

interface A2aClient {
  /** Calls a method. */
  call(
    method: string,
    request: object,
  ): { readonly hasBegun: Promise<unknown>; readonly items: Promise<Item[]> }
  /** Sends a text. Resolves to the id of its task, once it waits for an approval. */
  sent(text: string): Promise<string>
}

function a2aClient(python: string, script: string, url: string): A2aClient {
  const call: A2aClient['call'] = (method, request) => {
    const args = [script, url, 'ann', method, JSON.stringify(request)]
    const child = spawn(python, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let [out, errors] = ['', '']
    child.stdout.on('data', (text) => (out += text))
    child.stderr.on('data', (text) => (errors += text))
    const items = once(child, 'close').then(([code]) => {
      equal(code, 0, `${method} of A2A: ${errors}`)
      return out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Item)
    })
    return { hasBegun: Promise.race([once(child.stdout, 'data'), items]), items }
  }
  return {
    call,
    async sent(text) {
      const items = await call('send', { message: messageOf({ parts: [{ text }] }) }).items
      equal(items.at(-1)?.statusUpdate?.status?.state, 'TASK_STATE_INPUT_REQUIRED')
      return String(items.map(({ task }) => task?.id).find((id) => id !== undefined))
    },
  }
}
