/** Event streams behind nginx and Caddy: nothing is held back, and what is cut continues. */
import { deepStrictEqual, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEmitter } from 'turnstream'
import { encodeMessage, eventStreamHeaders } from 'turnstream/sse'
import { createStream, type Stream } from 'turnstream/streams'
import { serve } from '../../../examples/proxies/server.ts'
import type { Lab } from '../lab.ts'
import type { Step } from '../step.ts'
import { type Answer, http1, http2, within } from './client.ts'
import { type ProxyOptions, proxies, type RunningProxy } from './proxies.ts'

type ProxyName = keyof typeof proxies
const names = Object.keys(proxies) as ProxyName[]

const PAGE = 'https://app.example.com'
const protocols = { 'HTTP/1.1': http1, 'HTTP/2': http2 }

/** What is tried with each proxy. */
const trials: Readonly<Record<string, (lab: Lab, name: ProxyName) => Promise<string>>> = {
  'passes on each event before the next one is sent': oneByOne,
  'carries many streams on one connection': manyStreams,
  'reports a client that disconnects': disconnects,
  'lets a page of another origin read and resume': otherOrigin,
}

export const proxySteps: readonly Step[] = [
  ...names.flatMap((name) =>
    Object.entries(trials).map(([what, trial]) => ({
      name: `proxies: ${name} ${what}`,
      run: (lab: Lab) => trial(lab, name),
    })),
  ),
  { name: 'proxies: nginx keeps an idle stream that has heartbeats, and cuts one that has none', run: idle },
  { name: 'proxies: nginx holds back a stream without eventStreamHeaders', run: nginxHoldsBack },
  { name: 'proxies: nginx that buffers passes on events with each padded heartbeat', run: paddedHeartbeats },
  { name: 'proxies: Caddy holds back a stream that it compresses', run: caddyHoldsBack },
]

/** A server and a proxy in front of it. */
interface Site {
  readonly stream: Stream
  readonly server: Server
  readonly proxy: RunningProxy
  /** Appends a text. */
  append(text: string): Promise<void>
}

interface SiteOptions {
  readonly heartbeatMs?: number
  readonly paddingBytes?: number
  readonly replace?: ProxyOptions['replace']
}

async function withSite(
  lab: Lab,
  name: ProxyName,
  use: (site: Site) => Promise<string>,
  { heartbeatMs, paddingBytes = 0, replace }: SiteOptions = {},
): Promise<string> {
  const stream = createStream({ stream: 'context/ctx-1', epoch: crypto.randomUUID() })
  const respond: Stream['respond'] = (request, options) =>
    stream.respond(request, { ...options, paddingBytes })
  const server = serve({ ...stream, respond }, PAGE, heartbeatMs)
  const target = await listen(server)
  try {
    const proxy = await proxies[name]({ temporary: lab.temporary, target, ...(replace && { replace }) })
    const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
    const append = async (text: string): Promise<void> => {
      await stream.append(emit({ kind: 'content-delta', delta: text }))
    }
    try {
      return await use({ stream, server, proxy, append })
    } finally {
      await proxy.kill()
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** The text of the next event. */
async function nextText(answer: Answer): Promise<string | undefined> {
  const message = await answer.next()
  return message === undefined ? undefined : (JSON.parse(message.data) as { delta: string }).delta
}

function oneByOne(lab: Lab, name: ProxyName): Promise<string> {
  return withSite(lab, name, async ({ proxy, append }) => {
    const seen: string[] = []
    for (const [protocol, connect] of Object.entries(protocols)) {
      for (const coding of ['identity', 'gzip']) {
        const client = connect(proxy)
        await append('first')
        const answer = await client.ask({ headers: { 'accept-encoding': coding } })
        deepStrictEqual([answer.status, answer.headers['content-type']], [200, 'text/event-stream'])
        // All that came before, one by one or merged.
        while ((await answer.next())?.data.includes('first"') === false);
        for (let n = 0; n < 50; n++) {
          // Short ones are held back longest.
          const text = n % 2 === 0 ? `${n}` : `${n} `.repeat(500)
          await append(text)
          deepStrictEqual(await nextText(answer), text, `event ${n}, ${protocol}, ${coding}`)
        }
        await append('last')
        deepStrictEqual(await nextText(answer), 'last')
        seen.push(`${protocol} ${answer.headers['content-encoding'] ?? 'uncompressed'}`)
        answer.close()
        client.close()
      }
    }
    return `50 events each by ${seen.join(', ')}`
  })
}
function manyStreams(lab: Lab, name: ProxyName): Promise<string> {
  return withSite(lab, name, async ({ proxy, append }) => {
    const client = http2(proxy)
    const answers = await Promise.all(Array.from({ length: 100 }, () => client.ask()))
    for (const text of ['one', 'two']) {
      await append(text)
      const received = await Promise.all(answers.map(nextText))
      deepStrictEqual(new Set(received), new Set([text]))
    }
    client.close()
    return `${answers.length} streams`
  })
}

function disconnects(lab: Lab, name: ProxyName): Promise<string> {
  return withSite(lab, name, async ({ server, proxy, append }) => {
    await append('one')
    for (const [protocol, connect] of Object.entries(protocols)) {
      const client = connect(proxy)
      const requested = once(server, 'request')
      const answer = await client.ask()
      const [, response] = await requested
      deepStrictEqual(await nextText(answer), 'one')
      const closed = once(response, 'close')
      answer.close()
      await within(closed, `the end of the request, ${protocol},`)
      client.close()
    }
    return Object.keys(protocols).join(', ')
  })
}

function otherOrigin(lab: Lab, name: ProxyName): Promise<string> {
  return withSite(lab, name, async ({ proxy, append }) => {
    await append('one')
    await append('two')
    for (const connect of Object.values(protocols)) {
      const client = connect(proxy)
      const preflight = await client.ask({
        method: 'OPTIONS',
        headers: {
          origin: PAGE,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'last-event-id',
        },
      })
      deepStrictEqual(preflight.status, 204)
      deepStrictEqual(preflight.headers['access-control-allow-origin'], PAGE)
      deepStrictEqual(preflight.headers['access-control-allow-headers'], 'last-event-id')
      const first = await client.ask({ headers: { origin: PAGE } })
      const id = (await first.next())?.id ?? ''
      first.close()
      const resumed = await client.ask({ headers: { origin: PAGE, 'last-event-id': id } })
      deepStrictEqual(resumed.headers['access-control-allow-origin'], PAGE)
      deepStrictEqual(await nextText(resumed), 'two')
      resumed.close()
      client.close()
    }
    return 'preflight and resumption'
  })
}

async function idle(lab: Lab): Promise<string> {
  const replace = { 'proxy_read_timeout 60s': 'proxy_read_timeout 1s' }
  await withSite(
    lab,
    'nginx',
    async ({ proxy, append }) => {
      const answer = await http1(proxy).ask()
      await sleep(3000)
      await append('late')
      deepStrictEqual(await nextText(answer), 'late', 'on the connection that was idle')
      answer.close()
      return ''
    },
    { heartbeatMs: 200, replace },
  )
  return withSite(
    lab,
    'nginx',
    async ({ proxy, append }) => {
      await append('one')
      const cut = await http1(proxy).ask()
      const { id } = (await cut.next()) ?? {}
      ok(id !== undefined, 'the event has an id')
      deepStrictEqual(await nextText(cut), undefined, 'the connection ends')
      await append('two')
      const resumed = await http1(proxy).ask({ headers: { 'last-event-id': id } })
      deepStrictEqual(await nextText(resumed), 'two')
      resumed.close()
      return 'with a time-out of one second, the first for three'
    },
    { heartbeatMs: 60_000, replace },
  )
}

/** That the header is needed, so that the other steps show something. */
async function nginxHoldsBack(lab: Lab): Promise<string> {
  const { 'x-accel-buffering': _, ...others } = eventStreamHeaders
  deepStrictEqual(await arrivesAtOnce(lab, 'nginx', others), false, 'without x-accel-buffering')
  deepStrictEqual(await arrivesAtOnce(lab, 'nginx', eventStreamHeaders), true, 'with x-accel-buffering')
  const off = { 'proxy_http_version 1.1;': 'proxy_http_version 1.1; proxy_buffering off;' }
  deepStrictEqual(await arrivesAtOnce(lab, 'nginx', others, off), true, 'with proxy_buffering off')
  return 'until it ends'
}

/** That padding brings events through a buffer that nobody turns off. */
async function paddedHeartbeats(lab: Lab): Promise<string> {
  const replace = {
    'proxy_http_version 1.1;': 'proxy_http_version 1.1; proxy_ignore_headers X-Accel-Buffering;',
  }
  for (const paddingBytes of [0, 8192]) {
    const trial = async ({ proxy, append }: Site): Promise<string> => {
      await append('one')
      const { result, close } = await Promise.race([
        http1(proxy)
          .ask()
          .then(async (answer) => ({ result: await nextText(answer), close: () => answer.close() })),
        sleep(2000, { result: 'nothing', close: () => {} }),
      ])
      close()
      deepStrictEqual(result, paddingBytes > 0 ? 'one' : 'nothing', `${paddingBytes} bytes`)
      return ''
    }
    await withSite(lab, 'nginx', trial, { heartbeatMs: 200, paddingBytes, replace })
  }
  return 'within two seconds, and nothing without padding'
}

/** That the matcher is needed. */
async function caddyHoldsBack(lab: Lab): Promise<string> {
  const replace = { 'encode @others gzip': 'encode gzip' }
  deepStrictEqual(await arrivesAtOnce(lab, 'Caddy', eventStreamHeaders, replace), false, 'compressed')
  deepStrictEqual(
    await arrivesAtOnce(lab, 'Caddy', eventStreamHeaders),
    true,
    'with the configuration of the page',
  )
  return 'until it ends'
}

/** Whether an event arrives before its response ends, within two seconds. */
async function arrivesAtOnce(
  lab: Lab,
  name: ProxyName,
  headers: Readonly<Record<string, string>>,
  replace: ProxyOptions['replace'] = {},
): Promise<boolean> {
  let finish: () => void = () => {}
  const server = createServer((_, response) => {
    response.writeHead(200, headers).flushHeaders()
    // Long enough to be worth compressing.
    response.write(encodeMessage({ data: JSON.stringify({ delta: 'one', more: ' '.repeat(1000) }) }))
    finish = () => response.end()
  })
  let proxy: RunningProxy | undefined
  try {
    proxy = await proxies[name]({ temporary: lab.temporary, target: await listen(server), replace })
    const arrival = http1(proxy)
      .ask({ headers: { 'accept-encoding': 'gzip' } })
      .then(nextText)
    const first = await Promise.race([arrival, sleep(2000, 'nothing')])
    finish()
    deepStrictEqual(await arrival, 'one')
    return first === 'one'
  } finally {
    await proxy?.kill()
    server.closeAllConnections()
    server.close()
  }
}
