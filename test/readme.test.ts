// Proves that every page shows what the code has, that links and commands exist, and that the server and the client of
// docs/start.md behave as that page promises.
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get, type IncomingMessage, type RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type ContextAnyEvent, createEmitter, type EventDraft, eventKinds, readEvents, run } from 'turnstream'
import { encodeEvent } from 'turnstream/sse'
import { verifier } from 'turnstream/streams'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { chat } from '../examples/readme/client.ts'
import { decodeChunk } from '../examples/readme/machine.ts'
import { type Model, serve } from '../examples/readme/server.ts'
import packageJson from '../package.json' with { type: 'json' }
import { wordCounts, wordsOf } from '../scripts/count-words.ts'
import { entryPoints, exportsOf } from '../scripts/entry-points.ts'
import { anchorsOf } from '../scripts/markdown.ts'
import { pages } from '../scripts/readme.ts'

const readme = readFileSync('README.md', 'utf8')

const REPOSITORY = 'https://github.com/turnstream/turnstream/blob/main/'

/** Whether the package has a file. Pages for those who change the library stay in the repository. */
function isShipped(path: string): boolean {
  if (['docs/architecture.md', 'docs/decisions.md'].includes(path)) return false
  return (
    /^(docs|schemas|conformance)(\/|$)/.test(path) || ['README.md', 'CHANGELOG.md', 'LICENSE'].includes(path)
  )
}

/** What a user can be expected to read. Shorten a page before another one grows. */
const MOST_WORDS = 30_000

it(`the pages for users have at most ${MOST_WORDS} words`, () => {
  const all = wordCounts().reduce((sum, { words }) => sum + words, 0)
  expect(all, 'Count them with `npx tsx scripts/count-words.ts`.').toBeLessThanOrEqual(MOST_WORDS)
  expect(wordsOf('You [read](a.md) | 3 | words.\n```ts\nconst code = 1\n```')).toBe(4)
})

describe.each(pages)('%s', (page) => {
  const text = readFileSync(page, 'utf8')

  it('shows the code of every example it names', () => {
    const named = [...text.matchAll(/<!-- (examples\/\S+) -->\n(.*)/g)]
    expect(named.filter(([, , next = '']) => !next.startsWith('```')).map(([, path]) => path)).toEqual([])
  })

  it('links to files and headings that exist', () => {
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      const inRepository = link.startsWith(REPOSITORY)
      if (/^[a-z]+:/.test(link) && !inRepository) continue
      const [path = '', heading] = link.replace(REPOSITORY, '').split('#')
      const target = path === '' ? page : inRepository ? path : join(dirname(page), path)
      expect(existsSync(target), link).toBe(true)
      if (heading !== undefined) expect(anchorsOf(readFileSync(target, 'utf8')), link).toContain(heading)
    }
  })

  it('names commands that package.json has', () => {
    const scripts = Object.keys(packageJson.scripts)
    for (const [, command] of text.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toContain(command)
  })
})

it.each(pages.filter(isShipped))('%s links by path only to files of the package', (page) => {
  const links = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s#]+)/g)].map(([, link = '']) => link)
  const paths = links.filter((link) => !/^[a-z]+:/.test(link)).map((link) => join(dirname(page), link))
  expect(
    paths.filter((path) => !isShipped(path)),
    `Link to ${REPOSITORY}… instead.`,
  ).toEqual([])
})

it.each(['readme', 'docs', 'proxies', 'home'])('shows every file of examples/%s on a page', (folder) => {
  const shown = pages.map((page) => readFileSync(page, 'utf8')).join('')
  for (const file of readdirSync(`examples/${folder}`))
    expect(shown).toContain(`<!-- examples/${folder}/${file} -->`)
})

it('sends event streams with eventStreamHeaders in every example', () => {
  const examples = readdirSync('examples', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `examples/${file}`)
  // Pages for other languages have no such constant.
  const own = pages.filter((page) => !page.startsWith('docs/languages/'))
  const byHand = [...examples, ...own].filter((file) =>
    /['"]content-type['"]\s*[:,]\s*['"]text\/event-stream/i.test(readFileSync(file, 'utf8')),
  )
  expect(byHand).toEqual([])
})

describe('the README', () => {
  it('is at most 8 KB', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8000)
  })

  it('links to the list of entry points', () => {
    expect(readme).toContain('(docs/reference/README.md)')
  })

  it('holds no figures: they are in BENCHMARKS.md', () => {
    expect(readme).not.toMatch(/\d (?:ns|µs|ms|KiB)\b/)
  })
})

describe('the reference', () => {
  it.each(entryPoints)('lists $name with a link to $page', ({ name, page }) => {
    const list = readFileSync('docs/reference/README.md', 'utf8')
    expect(list).toContain(`| [\`${name}\`](${page.replace('docs/reference/', '')}) |`)
  })

  it.each(entryPoints)('lists every export of $name on $page', ({ source, page }) => {
    const text = readFileSync(page, 'utf8')
    expect(text, `${page} needs the mark`).toContain(`<!-- exports ${source} -->`)
    const exported = exportsOf(source).map(({ name }) => name)
    expect(exported.length).toBeGreaterThanOrEqual(1)
    expect(exported.filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([])
  })

  it.each(entryPoints)('names only exports in the task table of $page', ({ page }) => {
    const [, table = ''] = /\n\| task \| use \|\n([\s\S]*?)\n\n/.exec(readFileSync(page, 'utf8')) ?? []
    expect(table, `${page} needs a table of tasks`).not.toBe('')
    const exported = new Set(entryPoints.flatMap(({ source }) => exportsOf(source).map(({ name }) => name)))
    const named = [...table.matchAll(/`([A-Za-z]\w+)`/g)].map(([, name = '']) => name)
    const others = ['Response', 'lastEventId', 'retry']
    expect(named.filter((name) => !exported.has(name) && !others.includes(name))).toEqual([])
  })

  const tables = pages.flatMap((page) => {
    const found = readFileSync(page, 'utf8').matchAll(/\n\| task \| use \|\n\|[ |-]+\|\n((?:\|.*\n)+)/gi)
    return [...found].map(([, rows = '']) => ({ page, rows }))
  })

  it('has a table of tasks on every page that needs one', () => {
    expect(tables.length).toBeGreaterThanOrEqual(17)
  })

  it.each(tables)('names only exports in the column "use" of $page', ({ rows }) => {
    const exported = new Set(entryPoints.flatMap(({ source }) => exportsOf(source).map(({ name }) => name)))
    const uses = rows.split('\n').flatMap((row) => row.split(' | ').slice(1))
    const spans = uses.flatMap((use) => [...use.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span))
    const named = spans.flatMap((span) =>
      /^[A-Za-z]\w*$/.test(span)
        ? [span]
        : [...span.matchAll(/(?<![.\w])([A-Za-z]\w*)\(/g)].map(([, name = '']) => name),
    )
    const others = ['Response', 'lastEventId', 'retry', 'undefined', 'TypeError', 'filter']
    expect(named.filter((name) => !exported.has(name) && !others.includes(name))).toEqual([])
  })

  it.each(eventKinds)('has a section for %s', (kind) => {
    expect(readFileSync('docs/reference/events.md', 'utf8')).toContain(`### \`${kind}\``)
  })
})

describe('the server and the client of docs/start.md', () => {
  const servers: Server[] = []
  afterEach(() => {
    vi.restoreAllMocks()
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  async function listen(server: Server): Promise<string> {
    servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  const responding = (listener: RequestListener): Promise<string> =>
    listen(
      createServer((request, response) => {
        response.setHeader('content-type', 'text/event-stream')
        listener(request, response)
      }),
    )

  async function eventsAt(url: string): Promise<ContextAnyEvent[]> {
    const events: ContextAnyEvent[] = []
    for await (const event of readEvents(await fetch(url))) events.push(event)
    return events
  }

  /** Errors by the strict rules. An answer that a failure cut short is a warning. */
  function errorsIn(events: readonly ContextAnyEvent[]): unknown[] {
    const { push, end } = run(verifier({ mode: 'strict', external: true }))
    const violations = [...events.flatMap((event) => [...push(event)]), ...end()]
    return violations.filter(({ severity }) => severity === 'error')
  }

  const answering: Model = async function* () {
    yield 'Let me <thin'
    yield 'king>two and two</thinking>see: '
    yield '4 🎉'
  }

  const throwing: Model = async function* () {
    yield 'Let me see'
    throw new Error('secret of the provider')
  }

  it('show thoughts and the answer, and end as completed', async () => {
    const url = await listen(serve(answering))
    const shown = { answer: '', thought: '' }
    const outcome = await chat(url, (text, type) => {
      shown[type] += text
    })
    expect(shown).toEqual({ answer: 'Let me see: 4 🎉', thought: 'two and two' })
    expect(outcome).toBe('completed')
    expect(errorsIn(await eventsAt(url))).toEqual([])
  })

  it('end the task as failed if the model throws, and answer the next request', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const url = await listen(serve(throwing))
    await expect(chat(url, () => {})).rejects.toThrow('The task failed.')
    expect(log).toHaveBeenCalledTimes(1)

    const events = await eventsAt(url)
    expect(events.at(-1)).toMatchObject({ kind: 'task-status', status: 'failed' })
    expect(errorsIn(events)).toEqual([])
    expect(JSON.stringify(events)).not.toContain('secret')
  })

  it('end the task as failed if the model throws before its first text', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const url = await listen(
      serve(() => {
        throw new Error('no model')
      }),
    )
    await expect(chat(url, () => {})).rejects.toThrow('The task failed.')
  })

  it('stop the model if the client disconnects, even while it is waiting for the provider', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    let stopped: (reason: string) => void = () => {}
    const whenStopped = new Promise<string>((resolve) => {
      stopped = resolve
    })
    const url = await listen(
      serve(async function* (_prompt, signal) {
        yield 'Let me see'
        await once(signal, 'abort')
        stopped('aborted')
      }),
    )
    const leave = new AbortController()
    await expect(chat(url, () => leave.abort(), leave.signal)).rejects.toThrow(/abort/i)
    expect(await whenStopped).toBe('aborted')
    expect(log).not.toHaveBeenCalled()
  })

  it('stop a model that ignores the signal at its next text', async () => {
    let stopped: () => void = () => {}
    const whenStopped = new Promise<void>((resolve) => {
      stopped = resolve
    })
    const url = await listen(
      serve(async function* () {
        try {
          for (;;) {
            yield 'and on '
            await new Promise((resolve) => setTimeout(resolve, 1))
          }
        } finally {
          stopped()
        }
      }),
    )
    const leave = new AbortController()
    await expect(chat(url, () => leave.abort(), leave.signal)).rejects.toThrow(/abort/i)
    await whenStopped
  })

  it.each([404, 500, 503])('throw on the HTTP status %i', async (status) => {
    const url = await responding((_request, response) => response.writeHead(status).end('<h1>no</h1>'))
    await expect(chat(url, () => {})).rejects.toThrow(`${status}`)
  })

  it('distinguish a canceled task from a completed one', async () => {
    const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
    const url = await responding((_request, response) => {
      response.write(encodeEvent(emit({ kind: 'task-created', initiator: 'user' }), { viewer: 'all' }))
      response.end(encodeEvent(emit({ kind: 'task-status', status: 'canceled' }), { viewer: 'all' }))
    })
    expect(await chat(url, () => {})).toBe('canceled')
  })

  const { emit: emitTask } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
  const { emit: emitSubtask } = createEmitter({ contextId: 'ctx-1', taskId: 'sub-1', parentTaskId: 'task-1' })

  /** A server whose task starts a subtask that ends with this status; then it writes `rest`. */
  function withSubtask(end: EventDraft, rest: readonly ContextAnyEvent[]): Promise<string> {
    const events = [
      emitTask({ kind: 'task-created', initiator: 'user' }),
      emitTask({ kind: 'subtask-created', subtaskId: 'sub-1', agentId: 'helper', prompt: 'Help.' }),
      emitSubtask({ kind: 'task-created', initiator: 'agent', parentTaskId: 'task-1' }),
      emitSubtask({ kind: 'content-delta', delta: 'a note of the subtask' }),
      emitSubtask(end),
      ...rest,
    ]
    return responding((_request, response) =>
      response.end(events.map((event) => encodeEvent(event, { viewer: 'all' })).join('')),
    )
  }

  it('throw if a subtask is completed and the task never ends', async () => {
    const shown = vi.fn()
    const url = await withSubtask({ kind: 'task-status', status: 'completed' }, [])
    await expect(chat(url, shown)).rejects.toThrow('The connection ended before the task did.')
    expect(shown).not.toHaveBeenCalled()
  })

  it('end as completed if a subtask fails and the task is completed', async () => {
    const failed: EventDraft = {
      kind: 'task-status',
      status: 'failed',
      error: { code: 'provider_error', message: 'The subtask failed.', retry: 'terminal' },
    }
    const url = await withSubtask(failed, [emitTask({ kind: 'task-status', status: 'completed' })])
    expect(await chat(url, () => {})).toBe('completed')
  })

  it('pass the prompt of the query to the model', async () => {
    const prompts: string[] = []
    const url = await listen(
      serve(async function* (prompt) {
        prompts.push(prompt)
        yield 'Hello'
      }),
    )
    await chat(`${url}?prompt=${encodeURIComponent('2 + 2 & more?')}`, () => {})
    await chat(url, () => {})
    expect(prompts).toEqual(['2 + 2 & more?', ''])
  })

  it('answer a request whose URL is invalid', async () => {
    const url = await listen(serve(answering))
    const [response] = (await once(get(url, { path: '//?prompt=%zz' }), 'response')) as [IncomingMessage]
    expect(response.resume().statusCode).toBe(200)
    expect(await chat(url, () => {})).toBe('completed')
  })

  it('run as one program', async () => {
    const listening = vi.spyOn(Server.prototype, 'listen')
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    const folder = mkdtempSync(join(tmpdir(), 'turnstream-readme-'))
    const probe = createServer()
    const { port } = new URL(await listen(probe))
    probe.close()
    const code = readFileSync('examples/readme/main.ts', 'utf8')
      .replaceAll('3000', port)
      .replaceAll("'./", `'${resolve('examples/readme')}/`)
    writeFileSync(join(folder, 'main.ts'), code)
    await import(join(folder, 'main.ts'))
    servers.push(...(listening.mock.contexts as Server[]))
    await vi.waitFor(() => expect(log).toHaveBeenCalledTimes(3), 10_000)
    expect(log.mock.calls).toEqual([
      ['A greeting.', 'thought'],
      ['You wrote “Hello”.', 'answer'],
      ['completed'],
    ])
    rmSync(folder, { recursive: true })
  })

  it('throw if the connection ends before the task', async () => {
    const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
    const url = await responding((_request, response) => {
      response.end(encodeEvent(emit({ kind: 'task-created', initiator: 'user' }), { viewer: 'all' }))
    })
    await expect(chat(url, () => {})).rejects.toThrow('The connection ended before the task did.')
  })
})

it('decodes from a stored state, wherever the stream was cut', () => {
  const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
  const event = emit({ kind: 'content-delta', delta: '4 🎉' })
  const bytes = new TextEncoder().encode(encodeEvent(event, { viewer: 'all' }))
  for (let cut = 0; cut <= bytes.length; cut++) {
    const first = decodeChunk(bytes.subarray(0, cut))
    const rest = decodeChunk(bytes.subarray(cut), JSON.parse(JSON.stringify(first.state)))
    expect([...first.events, ...rest.events]).toEqual([event])
  }
})
