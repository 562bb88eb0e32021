// Proves that a recording of a server is what it sent, with times, over lost connections and until it is interrupted, and
// that what cannot be recorded is named on one line, with what to try.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { readReplay } from '../../src/cli/replay/messages.ts'
import { runCli } from '../../src/cli/run-cli.ts'
import { inspectRecording } from '../../src/inspect/index.ts'
import { createStream } from '../../src/streams/index.ts'
import { hastenWaits } from '../support/fake-time.ts'
import { readRecording, recordings } from '../support/recordings.ts'
import { mainFile, type Outcome, run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'record-'))
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

type Answer = (response: ServerResponse, request: IncomingMessage, body: string) => unknown

/** A server: an answer for each connection, the last one for all that follow. */
async function serve(...answers: readonly Answer[]): Promise<{ url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = []
  const server = createServer(async (request, response) => {
    requests.push(request)
    let body = ''
    for await (const chunk of request) body += chunk
    answers[Math.min(requests.length, answers.length) - 1]?.(response, request, body)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/stream`, requests }
}

const SSE = { 'content-type': 'text/event-stream' }
const sends =
  (content: string | Uint8Array, type = 'text/event-stream'): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': type }).end(content)

/** Sends a text, and drops the connection when all of it is on its way. */
const drops =
  (text: string): Answer =>
  (response) => {
    response.writeHead(200, SSE)
    response.write(text, () => setImmediate(() => response.destroy()))
  }

/** Records for a second, which is over once something has happened. */
async function recordUntil(
  hasHappened: (out: string) => boolean,
  url: string,
  ...args: readonly string[]
): Promise<Outcome> {
  let [out, err] = ['', '']
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const running = runCli(['record', url, '--for', '1', ...args], {
      out: (text) => {
        out += text
      },
      err: (text) => {
        err += text
      },
    })
    while (!hasHappened(out)) await new Promise(setImmediate)
    vi.advanceTimersByTime(1000)
    return { code: await running, out, err }
  } finally {
    vi.useRealTimers()
  }
}

/** Notes whether an answer has begun. */
function watchFetch(): () => boolean {
  let hasAnswer = false
  const { fetch: send } = globalThis
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...args) => {
    const response = await send(...args)
    hasAnswer = true
    return response
  })
  onTestFinished(() => spy.mockRestore())
  return () => hasAnswer
}

/** What was recorded without its times. */
const sent = ({ out }: Outcome): string => out.replace(/^: at .*\n/gm, '')
const times = (text: string): string[] => text.match(/^: at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/gm) ?? []

const formats = Object.keys(recordings)

describe('a recording', () => {
  it.each(formats.filter((file) => file.endsWith('.sse')))('of %s is what was sent', async (file) => {
    const text = new TextDecoder().decode(readRecording(file))
    const outcome = await run('record', (await serve(sends(text))).url)
    expect(outcome.code).toBe(0)
    expect(sent(outcome)).toBe(text)
    expect(times(outcome.out).length).toBeGreaterThan(0)
    const { totals: of, ...report } = await inspectRecording([outcome.out])
    const { totals, ...expected } = await inspectRecording([text])
    const lines = (value: unknown): string => JSON.stringify(value).replace(/"line":\d+/g, '"line":0')
    expect([of.values, of.events]).toEqual([totals.values, totals.events])
    expect(report.dialect).toBe(expected.dialect)
    expect(lines(report.diagnostics)).toBe(lines(expected.diagnostics))
  })

  it.each(formats.filter((file) => !file.endsWith('.sse')))('of %s has all its values', async (file) => {
    const bytes = readRecording(file)
    const { code, out } = await run('record', (await serve(sends(bytes, 'application/json'))).url)
    expect(code).toBe(0)
    const [report, expected] = [await inspectRecording([out]), await inspectRecording([bytes])]
    expect([report.dialect, report.totals.values, report.totals.events]).toEqual([
      expected.dialect,
      expected.totals.values,
      expected.totals.events,
    ])
  })

  it('has the times of arrival, which inspect, validate and replay read', async () => {
    const text = new TextDecoder().decode(readRecording('openai-chat.sse'))
    const cut = text.indexOf('\n\n') + 2
    const { url } = await serve((response) => {
      response.writeHead(200, SSE).write(text.slice(0, cut))
      setTimeout(() => response.end(text.slice(cut)), 60)
    })
    const { out } = await run('record', url)
    const [first = '', last = ''] = times(out)
    const between = Date.parse(last.slice(5)) - Date.parse(first.slice(5))
    expect(between).toBeGreaterThan(0)
    expect((await inspectRecording([out])).totals.durationMs).toBe(between)
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode(out)
    }
    const { messages } = await readReplay(chunks(), undefined, 20)
    expect(messages.map(({ atMs }) => atMs)).toEqual([0, ...messages.slice(1).map(() => between)])
  })

  it('keeps what is no event, for validate to find', async () => {
    const text =
      ': hello\n\ndata: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\ndata: {"type"\n\nfoo\n\n'
    const outcome = await run('record', (await serve(sends(text))).url)
    expect(sent(outcome)).toBe(text)
    const file = join(folder, 'faults.sse')
    writeFileSync(file, outcome.out)
    const { code, out } = await run('validate', file)
    expect(code).toBe(1)
    expect(out).toContain('invalid-json')
    expect(out).toContain('unknown-sse-field')
  })
})

it('has no control characters on a terminal, and all that was sent elsewhere', async () => {
  const text = 'data: {"a":"\u001b[2J\u001b]0;x\u0007\u009b\u202e"}\n\n'
  const { url } = await serve(sends(text))
  expect(sent(await run('record', url))).toBe(text)
  let shown = ''
  const out = (part: string): void => {
    shown += part
  }
  expect(await runCli(['record', url], { out, err: () => {}, isScreen: true })).toBe(0)
  expect(shown.replace(/^: at .*\n/gm, '')).toBe(
    'data: {"a":"\\u001b[2J\\u001b]0;x\\u0007\\u009b\\u202e"}\n\n',
  )
})

describe('a lost connection', () => {
  hastenWaits()
  const message = (id: number): string => `id: ${id}\ndata: {"type":"CUSTOM","name":"n","value":${id}}\n\n`

  it('is resumed after the last id', async () => {
    const { url, requests } = await serve(
      drops(`retry: 1\n\n${message(1)}${message(2)}id: 3\ndata: {"ty`),
      sends(message(3) + message(4)),
    )
    const outcome = await run('record', url)
    expect(outcome.code).toBe(0)
    expect(sent(outcome)).toBe(`retry: 1\n\n${[1, 2, 3, 4].map(message).join('')}`)
    expect(requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2'])
    expect(outcome.err).toContain('reading on from the message with the id "2"')
    expect(outcome.err).toContain('Recorded 4 messages of ')
  })

  it('of a log is also one that the server closes before the end', async () => {
    const stream = createStream({ stream: 's', epoch: 'e' })
    const at = { timestamp: '2026-03-04T05:06:07.080Z', contextId: 'c', taskId: 't' }
    await stream.append({ kind: 'task-created', initiator: 'user', ...at })
    await stream.append({ kind: 'task-status', status: 'completed', ...at })
    await stream.close()
    const whole = await new Response(stream.respond().body).text()
    const first = whole.slice(0, whole.indexOf('\n\n', whole.indexOf('task-created')) + 2)
    const { url, requests } = await serve(sends(first), sends(whole.slice(first.length)))
    const outcome = await run('record', url)
    expect(outcome.code).toBe(0)
    expect(requests[1]?.headers['last-event-id']).toMatch(/^s:/)
    expect(sent(outcome)).toBe(whole)
  })

  it.each<[what: string, answers: Answer[], args: string[], why: string]>([
    ['without ids', [drops('data: {"a":1}\n\n')], [], 'its messages have no ids'],
    ['of a request with a body', [drops(message(1))], ['-d', '{}'], 'the request has a body'],
    [
      'whose next one is refused',
      [drops(message(1)), (response) => response.writeHead(404).end()],
      [],
      'the server refuses',
    ],
    ['whose next one begins again', [drops(message(1) + message(2)), sends(message(1))], [], 'begins again'],
  ])('%s ends with 1, and keeps what came', async (_, answers, args, why) => {
    const outcome = await run('record', (await serve(...answers)).url, ...args)
    expect(outcome.code).toBe(1)
    expect(outcome.err).toContain(why)
    expect(sent(outcome)).toMatch(/^(?:id: 1\n)?data: /)
    expect(sent(outcome).match(/"value":1|"a":1/g)?.length).toBe(1)
  })
})

describe('a request', () => {
  it('has the headers and the body that are stated, and is sent once', async () => {
    const body = join(folder, 'body.json')
    writeFileSync(body, '{"threadId":"t"}')
    let received: unknown
    const { url, requests } = await serve((response, { method, headers }, text) => {
      const { authorization, accept, 'content-type': type } = headers
      received = { method, authorization, accept, type, text }
      response.writeHead(200, SSE).end('data: {"a":1}\n\n')
    })
    const args = ['-H', 'Authorization: Bearer s3cret', '--data', `@${body}`]
    expect((await run('record', url, ...args)).code).toBe(0)
    expect(requests.length).toBe(1)
    expect(received).toEqual({
      method: 'POST',
      authorization: 'Bearer s3cret',
      accept: 'text/event-stream, application/x-ndjson, application/json',
      type: 'application/json',
      text: '{"threadId":"t"}',
    })
  })
})

describe('a redirect', () => {
  const to =
    (status: number, location: string): Answer =>
    (response) =>
      response.writeHead(status, { location }).end('moved')

  it.each([301, 302, 303, 307, 308])('of %i to another origin gets no header and no body', async (status) => {
    const other = await serve(sends('data: {"a":1}\n\n'))
    const { url, requests } = await serve(to(status, `${other.url}?key=s3cret`))
    for (const args of [[], ['-d', '{}']]) {
      const { code, out, err } = await run('record', url, '-H', 'x-api-key: K', ...args)
      expect([code, out]).toEqual([2, ''])
      expect(err).toContain(
        `got ${status}. It answers: moved. It redirects to ${other.url}: name that address`,
      )
    }
    expect([requests.length, other.requests.length]).toEqual([2, 0])
  })

  it.each([
    [302, 'GET'],
    [303, 'GET'],
    [307, 'POST'],
    [308, 'POST'],
  ])('of %i to the same origin is followed by %s', async (status, method) => {
    const { url, requests } = await serve(to(status, '/there'), sends('data: {"a":1}\n\n'))
    expect((await run('record', url, '-H', 'x-api-key: K', '-d', '{}')).code).toBe(0)
    expect(requests.map((each) => [each.method, each.url, each.headers['x-api-key']])).toEqual([
      ['POST', '/stream', 'K'],
      [method, '/there', 'K'],
    ])
  })

  it('that leads to itself ends', async () => {
    const { code, err } = await run('record', (await serve(to(302, '/stream'))).url)
    expect(code).toBe(2)
    expect(err).toContain('Expected status 200, got 302.')
  })
})

describe('the end', () => {
  const endless: Answer = (response) => {
    response.writeHead(200, SSE).write('data: {"a":1}\n\ndata: {"a"')
  }

  it('by Ctrl+C keeps the whole messages, in a file of its owner', async () => {
    const { url } = await serve(endless)
    const file = join(folder, 'run.sse')
    const child = spawn(process.execPath, [mainFile(), 'record', url, '-o', file], { stdio: 'ignore' })
    while (!existsSync(file) || !readFileSync(file, 'utf8').includes('data')) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
    expect(readFileSync(file, 'utf8')).toMatch(/^: at .+\ndata: \{"a":1\}\n\n$/)
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('comes after the time that is stated', async () => {
    const outcome = await recordUntil((out) => out.includes('data'), (await serve(endless)).url)
    expect([outcome.code, sent(outcome)]).toEqual([0, 'data: {"a":1}\n\n'])
  })

  it('comes at the size that is stated', async () => {
    const big = `data: {"a":"${'x'.repeat(2 ** 19)}"}\n\n`
    const outcome = await run('record', (await serve(sends(big.repeat(4)))).url, '--max-size', '1')
    expect(outcome.code).toBe(0)
    expect(outcome.out.length).toBeLessThanOrEqual(2 ** 20 + 2000)
    expect(outcome.err).toContain('at its limit of 1 MiB')
  })
})

describe('without a message', () => {
  it.each<[what: string, isEndless: boolean, answer: Answer]>([
    ['an empty answer', false, sends('')],
    ['an answer of comments', false, sends(': hello\n\nretry: 1\n\n')],
    ['an answer that does not begin', true, (response) => response.writeHead(200, SSE).flushHeaders()],
    ['an answer of comments without end', true, (response) => response.writeHead(200, SSE).write(': a\n\n')],
  ])('%s ends with 1, and keeps the file that is there', async (_, isEndless, answer) => {
    const file = join(folder, 'old.sse')
    writeFileSync(file, 'old')
    const { url } = await serve(answer)
    const { code, err } = isEndless
      ? await recordUntil(watchFetch(), url, '-o', file)
      : await run('record', url, '-o', file)
    expect([code, readFileSync(file, 'utf8')]).toEqual([1, 'old'])
    expect(err).toContain('Expected a message, got none.')
  })

  it('no answer ends with 2', async () => {
    const { url, requests } = await serve(() => {})
    const { code, out, err } = await recordUntil(() => requests.length > 0, url)
    expect([code, out, err]).toEqual([2, '', `Expected an answer of ${url}, got none.\n`])
  })

  it('a file that cannot be written ends with 2', async () => {
    const { url } = await serve(sends('id: 1\ndata: {"a":1}\n\n'))
    const { code, err } = await run('record', url, '-o', folder)
    expect(code).toBe(2)
    expect(err).toContain(`Cannot write ${folder}: expected a file or none, got a folder.`)
  })
})

it.each(['', '<html>no</html>\n\n'])('ends with 1 if a stream has no message: %j', async (body) => {
  const { url } = await serve((response) => response.writeHead(200, SSE).end(body))
  const { code, out, err } = await run('record', url)
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/0 messages .*\nExpected a message, got none\. Check what the server expects/)
})

describe('what cannot be recorded is named with what to try:', () => {
  const answers =
    (status: number, type: string, body: string): Answer =>
    (response) =>
      response.writeHead(status, { 'content-type': type }).end(body)
  it.each<[what: string, answer: Answer, message: string]>([
    ['a page', answers(200, 'text/html', '<html>'), 'got text/html. Is it the address of a page?'],
    ['a missing page', answers(404, 'text/html', '<html>no</html>'), 'got 404. Check the path'],
    [
      'no credentials',
      answers(401, 'text/plain', 'who?'),
      'got 401. It answers: who? Send credentials with -H',
    ],
    ['a GET', answers(405, 'text/plain', ''), 'got 405. Check the path, or send a body with --data.'],
    [
      'a fault',
      answers(500, 'application/json', '{"a":"b"}'),
      'It answers: {"a":"b"}. Look at the log of the server.',
    ],
    ['no content', (response) => response.writeHead(204).end(), 'Expected status 200, got 204.'],
    ['an end', (response) => response.destroy(), 'Check that the server runs and speaks HTTP there.'],
  ])('%s', async (_, answer, message) => {
    const file = join(folder, 'none.sse')
    const { url } = await serve(answer)
    const { code, out, err } = await run('record', `${url}?key=s3cret`, '-H', 'x-key: s3cret', '-o', file)
    expect([code, out, existsSync(file)]).toEqual([2, '', false])
    expect(err).toContain(message)
    expect(err).not.toContain('s3cret')
    expect(err.split('\n')).toEqual([expect.any(String), 'Run "turnstream record --help" for examples.', ''])
  })

  it.each<[what: string, args: string[], message: string]>([
    ['no URL', [], 'Expected the URL of a stream, such as http://localhost:3000/stream, got none.'],
    ['a host', ['localhost:3000/x'], 'Did you mean http://localhost:3000/x?'],
    ['a file', ['run.sse'], 'got run.sse.'],
    ['two URLs', ['http://a/', 'http://b/'], 'Expected one URL, got 2.'],
    ['a password', ['http://a:b@c/'], 'Expected a URL without a password'],
    ['a header without a name', ['http://a/', '-H', 'secret'], 'got text without a colon.'],
    ['a header of two lines', ['http://a/', '-H', 'a: b\nc'], 'got a: with a value that is no header.'],
    ['a body that is not there', ['http://a/', '-d', '@nowhere'], 'Cannot read nowhere: no such file.'],
    ['a time of nothing', ['http://a/', '--for', '0'], 'Expected --for as an integer'],
  ])('%s', async (_, args, message) => {
    const { code, out, err } = await run('record', ...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(message)
  })

  it('a server that is not there', async () => {
    const { url } = await serve()
    for (const server of servers.splice(0)) server.close()
    const { code, err } = await run('record', url)
    expect(code).toBe(2)
    expect(err).toContain(`Cannot reach ${url}: nothing listens there. Start the server, or check the port.`)
  })
})
