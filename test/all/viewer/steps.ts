/** The viewer in Chromium: safe with hostile recordings, usable by keyboard, readable, and fast enough when they are long. */
import { deepStrictEqual, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { ContextAnyEvent } from 'turnstream'
import { eventStreamHeaders } from 'turnstream/sse'
import { createStream } from 'turnstream/streams'
import { exampleRecording, withExample } from '../../../scripts/example-recording.ts'
import { viewerPage } from '../../../src/cli/viewer/page.ts'
import { embedRecording } from '../../../src/viewer/embed.ts'
import { conversion, type Target, targets } from '../../../src/viewer/model/conversion.ts'
import type { Lab } from '../lab.ts'
import type { Step } from '../step.ts'
import { cutOff, overflow, paleTexts, unnamed, watchFaults } from './checks.ts'
import { dev } from './dev.ts'
import { type Answer, liveServer } from './live-server.ts'
import { HOSTILE, hostileRecording, longRecording } from './recordings.ts'

const WIDTHS = [360, 820, 1440]
const PANELS = ['timeline', 'events', 'view', 'event', 'problems']

export const viewerSteps: readonly Step[] = [
  { name: 'viewer: readable and named in three widths and two themes, under its policy', run: readable },
  { name: 'viewer: a hostile recording is text', run: hostile },
  { name: 'viewer: everything by keyboard', run: keyboard },
  { name: 'viewer: a failed tool among 500 events in one click', run: failedTool },
  { name: 'viewer: 100 000 events', run: long },
  { name: 'viewer: long texts are shown whole', run: longTexts },
  { name: 'viewer: lines without an event mark none', run: linesWithoutEvent },
  { name: 'viewer: a live log that breaks is resumed', run: liveLog },
  { name: 'viewer: a live stream with ids that breaks is resumed', run: liveIds },
  {
    name: 'viewer: a live stream without ids is shown at once, and kept when it breaks',
    run: liveWithoutIds,
  },
  { name: 'viewer: a replay that drops its connections is read to its end', run: liveReplay },
  { name: 'viewer: a live stream is disconnected by keyboard', run: disconnect },
  { name: 'viewer: a stream that is not there leaves the recording open', run: noConnection },
  { name: 'viewer: turnstream dev beside a server that breaks', run: dev },
  { name: 'viewer: downloads are what the library converts', run: convert },
]

const example = (): ContextAnyEvent[] =>
  exampleRecording()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ContextAnyEvent)

/** A call of 250 that fails, found by the button that counts the errors. */
async function failedTool(lab: Lab): Promise<string> {
  const at = { timestamp: '2026-03-04T05:06:07.080Z', contextId: 'c', taskId: 't' }
  const lines = Array.from({ length: 250 }, (_, i) => {
    const call = { toolCallId: `call-${i}`, toolName: 'look', ...at }
    const outcome = i === 170 ? { success: false, error: 'No such place.' } : { success: true }
    return [
      { kind: 'tool-start', ...call, arguments: {} },
      { kind: 'tool-complete', ...call, ...outcome },
    ]
  }).flat()
  const events = [
    { kind: 'task-created', initiator: 'user', ...at },
    ...lines,
    { kind: 'task-status', status: 'completed', ...at },
  ]
  const text = events.map((event) => `${JSON.stringify(event)}\n`).join('')
  return inViewer(lab, { recording: { name: 'calls.jsonl', text } }, async (page) => {
    const button = page.locator('#errors')
    await button.waitFor()
    deepStrictEqual(await button.textContent(), '1 error')
    await button.click()
    await page.locator('#event-title', { hasText: 'Event 343' }).waitFor()
    const json = (await page.locator('#json').textContent()) ?? ''
    ok(json.includes('"error": "No such place."') && json.endsWith(`As it came${text.split('\n')[342]}`))
    deepStrictEqual(await page.locator('#list [role=option]:not([hidden])').count(), 1)
    return '1 click'
  })
}

/** Opens the viewer, runs a check, and expects no fault. */
async function inViewer(
  lab: Lab,
  options: BrowserContextOptions & {
    readonly recording?: { name: string; text: string }
    readonly faults?: RegExp
    /** Whether the page comes from a server of this machine, not from a file. */
    readonly isServed?: boolean
  },
  check: (page: Page, browser: Browser) => Promise<string>,
): Promise<string> {
  const { recording, faults: expected, isServed = false, ...context } = options
  const file = join(lab.temporary, 'viewer.html')
  const dist = join(await lab.project(), 'node_modules/turnstream/dist/')
  const html = withExample(await viewerPage(pathToFileURL(dist)))
  await writeFile(file, recording === undefined ? html : embedRecording(html, recording))
  const browser = await lab.browser()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...context })
  const server = createServer(async (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(await readFile(file)),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = isServed
    ? `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    : pathToFileURL(file).href
  const faults = await watchFaults(page, url)
  try {
    await page.goto(url)
    const result = await check(page, browser)
    deepStrictEqual(
      (await faults()).filter((fault) => expected?.test(fault) !== true),
      [],
      'faults of the page',
    )
    return result
  } finally {
    await page.close()
    server.close()
    server.closeAllConnections()
  }
}

/** Waits until a recording is read. */
async function opened(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.getElementById('progress')?.textContent === '' &&
      document.getElementById('workspace')?.hidden === false &&
      document.querySelector('#figures dd') !== null,
  )
}

const eventTitle = (page: Page): Promise<string | null> => page.textContent('#event-title')

async function readable(lab: Lab): Promise<string> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of WIDTHS) {
      await inViewer(lab, { colorScheme, viewport: { width, height: 900 } }, async (page) => {
        const expectReadable = async (what: string): Promise<void> => {
          const where = `${what}, ${width} px, ${colorScheme}`
          deepStrictEqual(await paleTexts(page), [], `contrast: ${where}`)
          deepStrictEqual(await unnamed(page), [], `names: ${where}`)
          deepStrictEqual(await overflow(page), 0, `width: ${where}`)
        }
        await expectReadable('start')
        await page.click('#example')
        await opened(page)
        deepStrictEqual(await cutOff(page), [], `buttons in sight, ${width} px`)
        for (const panel of PANELS) {
          const button = page.locator(`#panels [data-panel=${panel}]`)
          if (await button.isVisible()) await button.click()
          await page.evaluate(() => new Promise(requestAnimationFrame))
          await expectReadable(panel)
          if (panel !== 'events' && panel !== 'timeline') continue
          // A row of each kind, selected: its colors are on another background.
          for (let position = 1; position <= example().length; position += 3) {
            await scrub(page, position)
            await expectReadable(`${panel} at ${position}`)
          }
        }
        for (const dialog of ['connect', 'convert', 'help']) {
          await page.click(`#${dialog}`)
          await page.waitForSelector(`#${dialog}-dialog[open]`)
          await expectReadable(dialog)
          await page.keyboard.press('Escape')
        }
        return ''
      })
    }
  }
  return `${PANELS.length} panels, 3 dialogs`
}

async function hostile(lab: Lab): Promise<string> {
  const recording = { name: HOSTILE, text: hostileRecording() }
  return inViewer(lab, { recording }, async (page) => {
    await opened(page)
    const count = Number(await page.getAttribute('#position', 'max'))
    ok(count >= 9, `the events are read: ${count}`)
    for (let position = 0; position <= count; position++) {
      await scrub(page, position)
      const { attacked, foreign } = await page.evaluate(() => ({
        attacked: (globalThis as { attacked?: unknown }).attacked,
        foreign: document.querySelectorAll(
          'img, script:not([id]) ~ script, body > :not([class]):not(main):not(dialog):not(script)',
        ).length,
      }))
      deepStrictEqual({ attacked, foreign }, { attacked: undefined, foreign: 0 })
    }
    ok((await page.textContent('#tree'))?.includes(HOSTILE.slice(0, 60)), 'the timeline shows the text')
    ok((await page.textContent('#blocks'))?.includes(HOSTILE), 'the view shows the text')
    ok((await page.textContent('#source'))?.includes(HOSTILE), 'the name of the file is text')
    ok((await page.title()).includes(HOSTILE), 'the title is text')
    return `${count} events`
  })
}

async function keyboard(lab: Lab): Promise<string> {
  return inViewer(lab, { reducedMotion: 'reduce' }, async (page) => {
    await page.keyboard.press('Tab')
    await reach(page, 'example')
    await page.keyboard.press('Enter')
    await opened(page)
    const reached = [
      'open',
      'connect',
      'convert',
      'help',
      'previous',
      'next',
      'position',
      'axis-time',
      'axis-events',
    ]
    reached.push(
      'zoom-out',
      'zoom-in',
      'zoom-fit',
      'tree',
      'errors',
      'search',
      'kind',
      'list',
      'blocks',
      'copy',
      'json',
    )
    reached.push('problem-list')
    for (const id of reached) await reach(page, id)
    // The list of problems: the first one, and with it its event.
    await page.keyboard.press('Home')
    await expectTitle(page, 'Event 75 · line 75')
    await reach(page, 'list')
    await page.keyboard.press('ArrowDown')
    await expectTitle(page, 'Event 76 · line 76')
    await page.keyboard.press('Home')
    await expectTitle(page, 'Event 1 · line 1')
    await reach(page, 'tree')
    const rows = (): Promise<number> => page.locator('#tree [role=treeitem]:visible').count()
    const all = await rows()
    await page.keyboard.press('ArrowLeft')
    await page.waitForFunction(() => document.querySelector('#tree [aria-expanded=false]') !== null)
    ok((await rows()) < all, 'the tree is collapsed')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expectTitle(page, 'Event 3 · line 3')
    const active = await page.evaluate(() => {
      const id = document.activeElement?.getAttribute('aria-activedescendant') ?? ''
      return document.getElementById(id)?.getAttribute('aria-label')
    })
    ok(active?.startsWith('thought planning'), `the tree names its active row: ${active}`)
    await page.keyboard.press('n')
    await expectTitle(page, 'Event 75 · line 75')
    await page.keyboard.press('k')
    await expectTitle(page, 'Event 74 · line 74')
    await page.keyboard.press('/')
    await page.keyboard.type('tram')
    await page.waitForFunction(
      () => document.querySelectorAll('#list [role=option]:not([hidden])').length === 2,
    )
    await reach(page, 'position')
    await page.keyboard.press('End')
    await expectTitle(page, 'Event 95 · line 95')
    await page.keyboard.press('?')
    await page.waitForSelector('#help-dialog[open]')
    await page.uncheck('#use-shortcuts')
    await page.keyboard.press('Escape')
    await page.keyboard.press('k')
    await expectTitle(page, 'Event 95 · line 95')
    return `${reached.length} controls`
  })
}

/** Presses Tab until an element has the focus, visibly. */
async function reach(page: Page, id: string): Promise<void> {
  for (let i = 0; i < 60; i++) {
    const { active, outline } = await page.evaluate(() => ({
      active: document.activeElement?.id,
      outline: document.activeElement === null ? '' : getComputedStyle(document.activeElement).outlineStyle,
    }))
    if (active === id) return ok(outline !== 'none', `the focus of #${id} is visible`)
    await page.keyboard.press('Tab')
  }
  throw new Error(`#${id} cannot be reached with Tab.`)
}

async function expectTitle(page: Page, title: string): Promise<void> {
  await page
    .waitForFunction((text) => document.getElementById('event-title')?.textContent === text, title, {
      timeout: 5000,
    })
    .catch(async () => deepStrictEqual(await eventTitle(page), title))
}

async function scrub(page: Page, position: number): Promise<void> {
  await page.evaluate(async (value) => {
    const slider = document.getElementById('position') as HTMLInputElement
    slider.value = String(value)
    slider.dispatchEvent(new Event('input'))
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  }, position)
}

async function long(lab: Lab): Promise<string> {
  const count = 100_000
  const file = join(lab.temporary, 'long.jsonl')
  await writeFile(file, longRecording(count))
  return inViewer(lab, {}, async (page) => {
    const start = performance.now()
    await page.setInputFiles('#file', file)
    await opened(page)
    const load = performance.now() - start
    deepStrictEqual(await page.getAttribute('#position', 'max'), String(count))
    ok(Number(await page.locator('#list [role=option]').count()) < 100, 'only rows in sight are elements')
    const times: number[] = []
    for (let i = 0; i < 60; i++) {
      const position = ((i * 7919 + 13) * 97) % count
      times.push(
        await page.evaluate(async (value) => {
          const slider = document.getElementById('position') as HTMLInputElement
          const begin = performance.now()
          slider.value = String(value)
          slider.dispatchEvent(new Event('input'))
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
          return performance.now() - begin
        }, position),
      )
      const title = (await eventTitle(page)) ?? ''
      deepStrictEqual(title.replaceAll('\u202f', ''), `Event ${position} · line ${position}`)
      const selected = await page.textContent('#list [aria-selected=true] .place')
      deepStrictEqual(selected?.replaceAll('\u202f', ''), String(position), 'the list shows the event')
    }
    times.sort((a, b) => a - b)
    return `read in ${(load / 1000).toFixed(1)} s, a step takes ${times[30]?.toFixed(0)} ms (median), at most ${times.at(-1)?.toFixed(0)} ms`
  })
}

async function longTexts(lab: Lab): Promise<string> {
  const text = 'High water is at 14:20. 🌊\n'.repeat(4000)
  const at = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
  const call = { toolCallId: 'x', toolName: 'read_file' }
  const events = [
    { kind: 'task-created', initiator: 'user', metadata: { input: text }, ...at },
    { kind: 'tool-start', ...call, arguments: {}, ...at },
    { kind: 'tool-complete', ...call, success: true, result: text, ...at },
    { kind: 'content-delta', index: 0, delta: text, ...at },
    { kind: 'content-delta', index: 1, delta: 'end', ...at },
  ] as const
  const recording = { name: 'run.jsonl', text: events.map((event) => `${JSON.stringify(event)}\n`).join('') }
  return inViewer(lab, { recording }, async (page) => {
    await opened(page)
    const body = (family: string): Promise<string | null> => page.textContent(`#blocks .${family} .body`)
    for (const [family, whole] of [
      ['task', text],
      ['tool', `{}\n→ ${text}`],
      ['text', `${text}end`],
    ] as const) {
      const button = page.locator(`#blocks .${family} .more`)
      ok(((await body(family)) ?? '').length < 3100, `the ${family} is cut off at first`)
      ok((await button.textContent())?.startsWith('Show all'), `the ${family} has a button`)
      await button.focus()
      await page.keyboard.press('Enter')
      deepStrictEqual(await body(family), whole)
      deepStrictEqual([await paleTexts(page), await unnamed(page), await overflow(page)], [[], [], 0])
    }
    await scrub(page, 4)
    deepStrictEqual(await body('text'), text, 'all is shown at other events')
    await page.click('#blocks .text .more')
    ok(((await body('text')) ?? '').length < 3100, 'less is shown again')
    return `${text.length} characters`
  })
}

async function linesWithoutEvent(lab: Lab): Promise<string> {
  const lines = exampleRecording().trim().split('\n')
  const complete = lines.filter((line) => !/content-(?:delta|complete)/.test(line))
  const text = [
    ...complete.slice(0, 9),
    '{"kind":"?"}',
    ...complete.slice(9, 11),
    'garbage',
    ...complete.slice(11),
  ]
  return inViewer(lab, { recording: { name: 'run.jsonl', text: text.join('\n') } }, async (page) => {
    await opened(page)
    deepStrictEqual(await page.textContent('#kind option[value="!"]'), 'With problems (0)')
    deepStrictEqual(await page.locator('.mark.error, .mark.warn, .mark-at').count(), 0)
    deepStrictEqual(await page.locator('#problem-list .place:visible').allTextContents(), [
      'line 10',
      'line 13',
    ])
    await page.keyboard.press('p')
    await expectTitle(page, 'Event 11 · line 12')
    deepStrictEqual(await page.textContent('#event-problems'), '')
    await page.keyboard.press('p')
    await expectTitle(page, 'Event 9 · line 9')
    return '2 problems, no marks'
  })
}

async function disconnect(lab: Lab): Promise<string> {
  const events = example().slice(0, 5)
  let closed: Promise<unknown> = Promise.resolve()
  const server = await liveServer((response) => {
    closed = once(response, 'close')
    response.writeHead(200, eventStreamHeaders)
    response.write(events.map((event, i) => `id: ${i + 1}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
  })
  try {
    return await inViewer(lab, { faults: faultsOf(server.url) }, async (page) => {
      await connect(page, server.url)
      await shows(page, events.length)
      deepStrictEqual([await unnamed(page), await paleTexts(page), await cutOff(page)], [[], [], []])
      await page.focus('body')
      await reach(page, 'disconnect')
      await page.keyboard.press('Enter')
      await closed
      await page.waitForFunction(() => document.getElementById('progress')?.textContent === 'Disconnected')
      await page.waitForSelector('#disconnect', { state: 'hidden' })
      deepStrictEqual(await page.evaluate(() => document.activeElement?.id), 'connect')
      deepStrictEqual(await page.textContent('#problems-text'), 'none')
      await shows(page, events.length)
      deepStrictEqual(server.cursors.length, 1, 'it is not resumed')
      return `${events.length} events are kept`
    })
  } finally {
    server.close()
  }
}

/** Connects to a stream. */
async function connect(page: Page, url: string): Promise<void> {
  await page.click('#connect')
  await page.fill('#url', url)
  await page.keyboard.press('Enter')
}

/** Waits until so many events are shown. */
async function shows(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (max) => document.getElementById('position')?.getAttribute('max') === String(max),
    count,
  )
}

/** A connection that breaks is reported by the browser. */
const faultsOf = (url: string): RegExp =>
  new RegExp(`^request: ${url}|^console: .*(?:net::ERR_|Failed to load)`)

const PARTS = 4

/** Opens a stream, breaks it whenever a quarter of its events is shown, and expects the rest. */
async function broken(
  lab: Lab,
  answer: Answer,
  append: (events: readonly ContextAnyEvent[], isLast: boolean) => Promise<void>,
): Promise<string> {
  const events = example()
  const server = await liveServer(answer)
  try {
    return await inViewer(lab, { faults: faultsOf(server.url) }, async (page) => {
      await connect(page, server.url)
      const size = Math.ceil(events.length / PARTS)
      for (let part = 1; part <= PARTS; part++) {
        await append(events.slice((part - 1) * size, part * size), part === PARTS)
        // What was received is shown before the connection breaks: nothing depends on how fast either is.
        await shows(page, Math.min(part * size, events.length))
        if (part < PARTS) await server.cut()
      }
      await page.waitForFunction(() => document.getElementById('progress')?.textContent === '')
      deepStrictEqual(server.cursors.length, PARTS)
      deepStrictEqual(new Set(server.cursors).size, PARTS, 'each connection resumes where the last one ended')
      ok((await page.textContent('#problems-text')) !== 'none', 'the missing delta is reported')
      return `${server.cursors.length} connections, nothing is lost`
    })
  } finally {
    server.close()
  }
}

async function liveLog(lab: Lab): Promise<string> {
  const stream = createStream({ stream: 'context/live', epoch: 'e1' })
  const answer: Answer = async (response, lastEventId) => {
    const { status, headers, body } = stream.respond(lastEventId, { viewer: { audience: 'user' } })
    response.writeHead(status, headers)
    for await (const bytes of body ?? []) response.write(bytes)
    response.end()
  }
  return broken(lab, answer, async (events, isLast) => {
    for (const event of events) await stream.append(event)
    if (isLast) await stream.close()
  })
}

async function liveIds(lab: Lab): Promise<string> {
  const sent: string[] = []
  let isClosed = false
  let flush: () => void = () => {}
  const answer: Answer = (response, lastEventId) => {
    let next = Number(lastEventId ?? 0)
    response.writeHead(200, eventStreamHeaders)
    response.write('retry: 1\n\n')
    flush = () => {
      for (; next < sent.length; next++) response.write(`id: ${next + 1}\ndata: ${sent[next]}\n\n`)
      if (isClosed) response.end()
    }
    flush()
  }
  return broken(lab, answer, async (events, isLast) => {
    sent.push(...events.map((event) => JSON.stringify(event)))
    isClosed = isLast
    flush()
  })
}

async function liveWithoutIds(lab: Lab): Promise<string> {
  const events = example()
  const server = await liveServer((response) => {
    response.writeHead(200, eventStreamHeaders)
    response.write(
      events
        .slice(0, 3)
        .map((event) => `data: ${JSON.stringify(event)}\n\n`)
        .join(''),
    )
  })
  try {
    return await inViewer(lab, { faults: faultsOf(server.url) }, async (page) => {
      await connect(page, server.url)
      // The server keeps the connection open until they are shown.
      await shows(page, 3)
      await server.cut()
      await page.waitForFunction(() => document.getElementById('progress')?.textContent === '')
      await shows(page, 3)
      deepStrictEqual(server.cursors, [undefined])
      const problems = (await page.textContent('#problem-list')) ?? ''
      ok(problems.includes('cannot be resumed'), `the problems: ${problems}`)
      return '3 events are kept'
    })
  } finally {
    server.close()
  }
}

/** The program itself, which drops each connection while the page may still be reading. */
async function liveReplay(lab: Lab): Promise<string> {
  const file = join(lab.temporary, 'replay.jsonl')
  await writeFile(file, exampleRecording())
  const main = join(lab.root, 'src/cli/main.ts')
  const args = ['--import', 'tsx', main, 'replay', file, '--speed', 'max', '--drop-after', '30']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const [line] = await once(child.stdout, 'data')
    const url = String(line).trim()
    return await inViewer(lab, { faults: faultsOf(new URL(url).origin), isServed: true }, async (page) => {
      await connect(page, url)
      await shows(page, example().length)
      await page.waitForFunction(() => document.getElementById('progress')?.textContent === '')
      return 'all events'
    })
  } finally {
    child.kill()
  }
}

async function noConnection(lab: Lab): Promise<string> {
  const server = await liveServer((response) => response.writeHead(503).end())
  const faults = faultsOf(`(?:${server.url}|http://127.0.0.1:1/)`)
  try {
    return await inViewer(lab, { faults }, async (page) => {
      await page.click('#example')
      await opened(page)
      const title = await page.title()
      for (const [url, reason] of [
        [server.url, /Expected status 200, got 503\.$/],
        ['http://127.0.0.1:1/', /CORS \(Failed to fetch\).*Access-Control-Allow-Origin: null/],
      ] as const) {
        await connect(page, url)
        await page.waitForSelector('#connect-dialog[open] #connect-fault:not([hidden])')
        const fault = (await page.textContent('#connect-fault')) ?? ''
        ok(fault.startsWith(`${url}: `) && reason.test(fault), `the reason: ${fault}`)
        deepStrictEqual(await paleTexts(page), [])
        // The browser reports a URL that is not valid, beside no fault of the one before.
        await page.fill('#url', 'nonsense')
        await page.click('#connect-dialog .primary')
        await page.waitForSelector('#connect-fault', { state: 'hidden' })
        ok(await page.isVisible('#connect-dialog[open]'), 'the dialog stays open')
        await page.keyboard.press('Escape')
        deepStrictEqual(await page.title(), title)
        await shows(page, example().length)
      }
      return 'the recording stays open'
    })
  } finally {
    server.close()
  }
}

async function convert(lab: Lab): Promise<string> {
  const text = exampleRecording()
  return inViewer(lab, { recording: { name: 'run.jsonl', text }, acceptDownloads: true }, async (page) => {
    await opened(page)
    await page.click('#convert')
    for (const [target, { suffix }] of Object.entries(targets)) {
      await page.selectOption('#target', target)
      await page.waitForSelector('#download:enabled')
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download')])
      deepStrictEqual(download.suggestedFilename(), `run.${suffix}`)
      const converting = conversion(target as Target, randomUUID)
      const expected =
        example()
          .map((event) => converting.push(event))
          .join('') + converting.end()
      deepStrictEqual(withoutIds(await readFile(await download.path(), 'utf8')), withoutIds(expected), target)
    }
    return Object.keys(targets).join(', ')
  })
}

/** Ids that a mapper draws at random differ from run to run. */
function withoutIds(text: string): string {
  return text.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
}
