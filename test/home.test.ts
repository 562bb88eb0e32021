// Proves what the home page of the site promises: what it shows survives a cut connection, and goes on when it is approved.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createNetwork } from '../examples/home/network.ts'
import { createPage } from '../examples/home/page.ts'
import { createHandler } from '../examples/home/server.ts'

const texts = ({ getSnapshot }: ReturnType<typeof createPage>): string =>
  getSnapshot()
    .view.tasks.flatMap(({ parts }) => parts)
    .map((part) => (part.type === 'text' ? part.text : part.type === 'tool' ? `[${part.toolName}]` : ''))
    .join('')

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => void vi.useRealTimers())

async function until(holds: () => boolean): Promise<void> {
  const look = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(20)
    expect(holds()).toBe(true)
  }
  await vi.waitFor(look, { timeout: 20_000, interval: 1 })
}

describe('the home page', () => {
  it('resumes by Last-Event-ID, asks, and goes on', async () => {
    const requests: Request[] = []
    const network = createNetwork(createHandler(), (request) => requests.push(request), 50)
    const page = createPage(network)
    const leave = page.subscribe(() => {})
    await page.send('Hello')
    await until(() => texts(page).length > 10)
    const before = texts(page)
    const { length } = requests
    network.cut()
    await until(() => requests.slice(length).some(({ headers }) => headers.has('last-event-id')))
    await until(() => page.getSnapshot().requests.length === 1)
    expect(texts(page)).toMatch(/^You wrote “Hello”\. .* boats\.\[book\]$/)
    expect(texts(page).startsWith(before)).toBe(true)
    const [request] = page.getSnapshot().requests
    await page.approve(request?.id ?? '')
    await until(() => page.getSnapshot().view.tasks[0]?.status === 'completed')
    expect(texts(page)).toMatch(/boats\.\[book\]It is booked: table 7, by the window\.$/)
    leave()
  })
})
