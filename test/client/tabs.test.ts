// Proves that one tab of a browser reads for all, by a model of Web Locks; test/all/chromium has those of a browser.
import { type AgentClient, agentClient } from 'turnstream/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hastenWaits } from '../support/fake-time.ts'
import { isDone, openShop, type Shop, textsOf } from './pages.ts'

hastenWaits()

/** Locks by their names: each is held by one callback at a time, in the order of the requests. */
function locks() {
  const last = new Map<string, Promise<unknown>>()
  return {
    request(name: string, { signal }: { signal: AbortSignal }, callback: () => Promise<unknown>) {
      const before = last.get(name) ?? Promise.resolve()
      const held = before.then(() => {
        signal.throwIfAborted()
        return callback()
      })
      last.set(
        name,
        held.catch(() => undefined),
      )
      return held
    },
  }
}

const leaves: (() => void)[] = []
let streams: AbortSignal[] = []

beforeEach(() => {
  vi.stubGlobal('navigator', { locks: locks() })
  streams = []
  const platform = fetch
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (init.method === undefined && init.signal) streams.push(init.signal)
    const headers = new Headers(init.headers)
    if (!headers.has('x-user')) headers.set('x-user', 'ann')
    return platform(url, { ...init, headers })
  })
})
afterEach(() => {
  for (const leave of leaves.splice(0)) leave()
  vi.unstubAllGlobals()
})

function tabsOf({ url }: Shop, count: number): { client: AgentClient; close: () => void }[] {
  return Array.from({ length: count }, () => {
    const client = agentClient(url)
    const close = client.subscribe(() => undefined)
    leaves.push(close)
    return { client, close }
  })
}

const openStreams = (): number => streams.filter(({ aborted }) => !aborted).length
const all = (tabs: readonly { client: AgentClient }[]) => tabs.map(({ client }) => client.getSnapshot())

describe('eight tabs', () => {
  it('have one connection, and show the same', async () => {
    const tabs = tabsOf(await openShop(), 8)
    await vi.waitFor(() => expect(all(tabs).every(({ connection }) => connection === 'idle')).toBe(true))
    await tabs[5]?.client.send('Hello')
    await vi.waitFor(() => expect(all(tabs).every(isDone(1))).toBe(true))
    expect(openStreams()).toBe(1)
    const [first, ...others] = all(tabs)
    for (const state of others) expect(state).toEqual(first)
  })

  it('go on when the tab that reads is closed, with each event once', async () => {
    const tabs = tabsOf(await openShop(), 3)
    await tabs[0]?.client.send('One')
    await vi.waitFor(() => expect(all(tabs).every(isDone(1))).toBe(true))
    tabs.shift()?.close()
    await tabs[1]?.client.send('Two')
    await vi.waitFor(() => expect(all(tabs).every(isDone(2))).toBe(true))
    expect(openStreams()).toBe(1)
    for (const state of all(tabs)) {
      expect(textsOf(state)).toEqual(['One > You said One', 'Two > You said Two'])
      expect(state.view.diagnostics).toEqual([])
    }
  })

  it('show a tab that is opened later what they show', async () => {
    const shop = await openShop()
    const tabs = tabsOf(shop, 1)
    await tabs[0]?.client.send('pay')
    await vi.waitFor(() => expect(all(tabs)[0]?.requests).toHaveLength(1))
    const [late] = tabsOf(shop, 1)
    await vi.waitFor(() => expect(late?.client.getSnapshot().requests).toHaveLength(1))
    await late?.client.approve(late.client.getSnapshot().requests[0]?.id ?? '')
    await vi.waitFor(() => expect(all(tabs).every(isDone(1))).toBe(true))
  })

  it('look again when a tab is opened, once reading has ended', async () => {
    const shop = await openShop()
    let isWrong = true
    const platform = fetch
    vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) =>
      isWrong ? Promise.resolve(new Response('<html>')) : platform(url, init),
    )
    const tabs = tabsOf(shop, 2)
    await vi.waitFor(() => expect(all(tabs).every(({ connection }) => connection === 'ended')).toBe(true))
    isWrong = false
    const [late] = tabsOf(shop, 1)
    await vi.waitFor(() => expect(late?.client.getSnapshot().connection).toBe('idle'))
    await late?.client.send('Hello')
    await vi.waitFor(() =>
      expect([...all(tabs), late?.client.getSnapshot()].every((state) => state && isDone(1)(state))).toBe(
        true,
      ),
    )
  })

  it('read each for itself with a fetch of their own', async () => {
    const { page } = await openShop()
    const [ann, bob] = [page('ann'), page('bob')]
    await ann.client.send('Secret')
    await ann.until(isDone(1))
    await bob.until(({ connection }) => connection === 'idle')
    expect(bob.client.getSnapshot().view.tasks).toEqual([])
  })
})
