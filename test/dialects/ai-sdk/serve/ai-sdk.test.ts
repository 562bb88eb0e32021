// Proves that pages of the AI SDK use an agent behind a handler: they send, approve, resume and see what other pages answer.
import { aiSdk } from 'turnstream/ai-sdk'
import { describe, expect, it } from 'vitest'
import {
  booking,
  eventually,
  handled,
  root,
  secret,
  textAfter,
  textBefore,
  textDeclined,
} from '../../../support/protocols.ts'
import { openPage } from './chat.ts'

const until = (isTrue: () => boolean): Promise<unknown> => eventually(() => expect(isTrue()).toBe(true))

function served(options: Parameters<typeof booking>[0] = {}) {
  const agent = booking(options)
  return { agent, ...handled({ agent: agent.agent, protocols: { chat: aiSdk() } }) }
}

const whole = `user: Book|assistant: ${textBefore}${textAfter}`

describe('a page', () => {
  it('sends a message, approves, and has the whole message', async () => {
    const server = served()
    const page = await openPage(server)
    await page.sendMessage({ text: 'Book' })
    await until(() => page.asked.length === 1)
    await until(() => page.status === 'ready')
    expect(page.text).toBe(`user: Book|assistant: ${textBefore}`)
    await page.respond(true)
    await until(() => page.text === whole)
    await until(() => page.status === 'ready')
    expect([page.calls, page.error, server.agent.calls]).toEqual([['output-available'], undefined, 1])
    expect(JSON.stringify(page.messages)).not.toContain(secret)
    expect(server.errors).toEqual([])
  })

  it('declines', async () => {
    const server = served()
    const page = await openPage(server)
    await page.sendMessage({ text: 'Book' })
    await until(() => page.asked.length === 1)
    await page.respond(false)
    await until(() => page.text === `user: Book|assistant: ${textBefore}${textDeclined}`)
    expect([page.calls, server.agent.calls]).toEqual([['output-denied'], 0])
  })

  it('approves several calls at once', async () => {
    const server = served({ calls: 3 })
    const page = await openPage(server)
    await page.sendMessage({ text: 'Book' })
    await until(() => page.asked.length === 3)
    await page.respond(true)
    await until(() => page.text === whole)
    expect(server.agent.calls).toBe(3)
  })

  it('goes on when the native page answers, and keeps its buttons until then', async () => {
    const server = served()
    const page = await openPage(server)
    await page.sendMessage({ text: 'Book' })
    await until(() => page.asked.length === 1 && page.status === 'ready')
    expect(await server.answer('ann', 'main')).toMatchObject({ status: 'accepted' })
    await until(() => page.text === whole)
    expect(page.calls).toEqual(['output-available'])
  })

  it('sees what another page answers: of two calls, one on each', async () => {
    const server = served({ calls: 2 })
    const page = await openPage(server)
    await page.sendMessage({ text: 'Book' })
    await until(() => page.asked.length === 2)
    const other = await openPage(server)
    await until(() => other.asked.length === 2)
    await other.respond(true)
    await until(() => page.text === whole && other.text === whole)
    expect([page.calls, other.calls]).toEqual([
      ['output-available', 'output-available'],
      ['output-available', 'output-available'],
    ])
  })

  it('resumes in the middle of a message after a reload', async () => {
    const server = served({ isHeld: true })
    const page = await openPage(server)
    void page.sendMessage({ text: 'Book' })
    await until(() => page.text.includes(textBefore.slice(0, 12)))
    const reloaded = await openPage(server)
    await until(() => reloaded.status === 'streaming')
    server.agent.go()
    await until(() => reloaded.asked.length === 1)
    expect(reloaded.text).toBe(`user: Book|assistant: ${textBefore}`)
    await reloaded.respond(true)
    await until(() => reloaded.text === whole && page.text === whole)
    const last = await openPage(server)
    expect(last.text).toBe(whole)
  })

  it('asks after a reload while the task waits, and is answered', async () => {
    const server = served()
    const page = await openPage(server, { resume: false })
    await page.sendMessage({ text: 'Book' })
    const reloaded = await openPage(server)
    expect(reloaded.asked).toHaveLength(1)
    expect(reloaded.status).toBe('ready')
    await reloaded.respond(true)
    await until(() => reloaded.text === whole)
    expect(reloaded.error).toBeUndefined()
  })

  it('generates a message again as a new task', async () => {
    const server = served()
    const page = await openPage(server)
    await page.sendMessage({ text: 'Book' })
    await until(() => page.asked.length === 1)
    await page.respond(true)
    await until(() => page.text === whole && page.status === 'ready')
    await page.regenerate()
    await until(() => page.asked.length === 1)
    expect(server.agent.begun).toEqual(['Book', 'Book'])
  })

  it('shows another user nothing, and lets nobody answer for another', async () => {
    const server = served()
    const page = await openPage(server)
    await page.sendMessage({ text: 'Book' })
    await until(() => page.asked.length === 1)
    const other = await openPage(server, { user: 'bob' })
    expect(other.messages).toEqual([])
    // With what the other one has seen.
    other.messages = structuredClone(page.messages)
    await other.respond(true)
    await until(() => other.status === 'error')
    expect([page.asked.length, server.agent.calls]).toEqual([1, 0])
    await page.respond(true)
    await until(() => page.text === whole)
  })
})

describe('requests', () => {
  const message = (text: string, id = 'm-1') => ({ id, role: 'user', parts: [{ type: 'text', text }] })
  const posting = (body: unknown): RequestInit => ({
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

  it('answers one that is sent again as before, and starts nothing', async () => {
    const server = served()
    const send = server.fetchAs('ann')
    const body = posting({ id: 'main', messages: [message('Book')], trigger: 'submit-message' })
    const first = await (await send(`${root}/chat`, body)).text()
    const again = await (await send(`${root}/chat`, body)).text()
    expect(again).toBe(first)
    expect(first).toContain('tool-approval-request')
    expect(first.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(server.agent.begun).toEqual(['Book'])
    await server.answer('ann', 'main')
    expect(await (await send(`${root}/chat`, body)).text()).toBe(first)
  })

  it('answers what cannot be read with 400, and what is not there with 204 or 404', async () => {
    const { fetchAs, errors } = served()
    const send = fetchAs('ann')
    const statuses = await Promise.all(
      [
        send(`${root}/chat`, posting('{')),
        send(`${root}/chat`, posting('')),
        send(`${root}/chat`, posting([])),
        send(`${root}/chat`, posting({ id: 'main' })),
        send(`${root}/chat`, posting({ id: 'main', messages: [] })),
        send(`${root}/chat`, posting({ id: '', messages: [message('Hi')] })),
        send(`${root}/chat`, posting({ id: 'x'.repeat(300), messages: [message('Hi')] })),
        send(`${root}/chat/other/path`),
        send(`${root}/chat`),
        send(`${root}/chat/none/stream`),
        send(`${root}/chat/none`),
      ].map(async (response) => (await response).status),
    )
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 400, 404, 404, 204, 200])
    expect(errors).toEqual([])
  })

  it('ends what it holds when the client leaves, and nothing else', async () => {
    const server = served()
    const send = server.fetchAs('ann')
    const body = posting({ id: 'main', messages: [message('Book')] })
    await (await send(`${root}/chat`, body)).text()
    const left = new AbortController()
    const held = send(`${root}/chat/main/stream`, { signal: left.signal })
    left.abort()
    expect((await held).status).toBe(204)
    const reading = await send(`${root}/chat`, posting({ id: 'main', messages: [message('Next', 'm-2')] }))
    await reading.body?.cancel()
    await server.answer('ann', 'main')
    await eventually(() => expect(server.agent.begun).toEqual(['Book', 'Next']))
    expect(server.agent.aborted).toEqual([])
  })
})
