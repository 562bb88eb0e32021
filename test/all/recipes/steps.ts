/** The pages of docs/recipes.md in a browser, while their connections are cut and their server is replaced. */
import { deepStrictEqual, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { serveStreams } from '../../../examples/recipes/server/node-http.ts'
import { type Serve, startCutAnswer } from '../../support/cut-answer.ts'
import type { Lab } from '../lab.ts'
import type { Step } from '../step.ts'
import { bundlePage } from './bundle-page.ts'

const pages = ['plain.ts', 'react.ts', 'vue.ts', 'svelte.ts'] as const

export const recipeSteps: readonly Step[] = pages.map((page) => ({
  name: `recipes: ${page.replace(/\..*/, '')} in Chromium, three cut connections and a new server`,
  run: (lab) => showsAll(lab, page),
}))

async function showsAll(lab: Lab, entry: string): Promise<string> {
  const browser = await lab.browser()
  const script = await bundlePage(join(lab.root, 'test/all/recipes/pages', entry), await lab.project())
  const answer = await startCutAnswer(serveWith(script))
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  try {
    /** Every text the page has shown. */
    await page.addInitScript(() => {
      const shown: string[] = []
      Object.assign(globalThis, { shown })
      new MutationObserver(() => shown.push(document.body?.textContent ?? '')).observe(document, {
        childList: true,
        characterData: true,
        subtree: true,
      })
    })
    await page.goto(answer.url)
    const text = await answer.text
    await page.waitForFunction((end) => document.body.textContent?.trim() === end, text.trim())
    const shown = await page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown)
    for (const part of shown) {
      if (!text.startsWith(part.trim())) throw new Error(`The page showed what was never written: ${part}`)
    }
    deepStrictEqual(errors, [], 'errors of the page')
    ok(answer.cuts >= 3, `${answer.cuts} cut connections`)
    return `${text.length} characters over ${answer.lastEventIds.length} connections, ${answer.cuts} of them cut, ${shown.length} paints`
  } finally {
    await page.close()
    await answer.close()
  }
}

/** Serves a page beside the streams. */
function serveWith(script: string): Serve {
  return async (find) => {
    const streams = serveStreams(find)
    const server = createServer((request, response) => {
      if (request.url === '/page.js') response.setHeader('content-type', 'text/javascript').end(script)
      else if (request.url !== '/') streams.emit('request', request, response)
      else {
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(
          '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>',
        )
      }
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      async close() {
        server.close()
        server.closeAllConnections()
      },
    }
  }
}
