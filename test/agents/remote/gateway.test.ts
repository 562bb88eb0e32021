// Proves that an agent behind a protocol of a handler is a remote agent of another one: its questions are asked there, and answered.
import { a2a } from 'turnstream/a2a'
import { agUi } from 'turnstream/ag-ui'
import { a2aAgent, agUiAgent, chatAgent } from 'turnstream/agents'
import { aiSdk } from 'turnstream/ai-sdk'
import type { Agent } from 'turnstream/server'
import { describe, expect, it } from 'vitest'
import { hastenWaits } from '../../support/fake-time.ts'
import {
  booking,
  eventually,
  type Handled,
  handled,
  root,
  secret,
  textAfter,
  textBefore,
  textDeclined,
} from '../../support/protocols.ts'

hastenWaits()

/** The agents that reach a server, by its protocol. */
const remotes: Readonly<Record<string, (server: Handled) => Agent>> = {
  'ai-sdk': (server) => chatAgent({ post: posting(server, 'chat') }),
  'ag-ui': (server) => agUiAgent({ post: posting(server, 'ag-ui') }),
  a2a: (server) => a2aAgent({ post: posting(server, 'a2a') }),
}

const posting =
  ({ fetchAs }: Handled, path: string) =>
  (body: object, { signal }: { signal: AbortSignal }): Promise<Response> =>
    fetchAs('gateway')(`${root}/${path}`, {
      ...{
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      },
    })

const send = (server: Handled, id: string) =>
  server.fetchAs('ann')(`${root}/chat`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({
      id: 'trip',
      messages: [{ id, role: 'user', parts: [{ type: 'text', text: 'Book' }] }],
    }),
  })

describe.each(Object.keys(remotes))('over %s', (name) => {
  it.each([
    ['answered', textAfter, 1],
    ['declined', textDeclined, 0],
    [{ value: { approved: true } }, textDeclined, 0],
    [{ value: { approved: false } }, textDeclined, 0],
  ] as const)('is answered with %j', async (outcome, last, calls) => {
    const agent = booking()
    const protocols = { chat: aiSdk(), 'ag-ui': agUi(), a2a: a2a({ card: {} }) }
    const behind = handled({ agent: agent.agent, protocols })
    const front = handled({ agent: remotes[name]?.(behind) as Agent, protocols })
    const asked = await (await send(front, 'm-1')).text()
    expect(asked).toContain('tool-approval-request')
    expect(await front.answer('ann', 'trip', outcome)).toMatchObject({ status: 'accepted' })
    const page = front.fetchAs('ann')
    await eventually(async () => {
      const all = await (await page(`${root}/chat/trip`)).text()
      expect([all.includes(textBefore), all.includes(last), all.includes(secret)]).toEqual([
        true,
        true,
        false,
      ])
    })
    // The page shows what has happened.
    const shown = await (await page(`${root}/history?context=trip`)).text()
    expect(shown.includes('"outcome":"declined"')).toBe(calls === 0)
    expect([agent.calls, agent.begun, front.errors, behind.errors]).toEqual([calls, ['Book'], [], []])
    // The next message is in the same conversation of the agent.
    await (await send(front, 'm-2')).text()
    expect(agent.begun).toEqual(['Book', 'Book'])
  })
})
