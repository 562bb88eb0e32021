// Proves that pages of version 6 of the AI SDK use an agent behind a handler as well.
import {
  AbstractChat,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
} from 'ai-sdk-6'
import { aiSdk, chatTransport } from 'turnstream/ai-sdk'
import { expect, it } from 'vitest'
import {
  booking,
  eventually,
  type Handled,
  handled,
  root,
  textAfter,
  textBefore,
  textDeclined,
} from '../../../support/protocols.ts'

type Init = ConstructorParameters<typeof AbstractChat>[0]
type State = Init['state']

class Page extends AbstractChat<State['messages'][number]> {
  constructor(init: Omit<Init, 'state'>) {
    const state: State = {
      ...{ status: 'ready', error: undefined, messages: [] },
      pushMessage: (message) => state.messages.push(structuredClone(message)),
      popMessage: () => state.messages.pop(),
      replaceMessage: (index, message) => state.messages.splice(index, 1, structuredClone(message)),
      snapshot: (thing) => structuredClone(thing),
    }
    super({ ...init, state })
  }

  get text(): string {
    const parts = this.messages.flatMap((message) => message.parts)
    return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  }

  get asked(): string[] {
    return this.messages.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.type === 'dynamic-tool' && part.state === 'approval-requested' ? [part.approval.id] : [],
      ),
    )
  }
}

function pageOf({ fetchAs }: Handled): Page {
  const page: Page = new Page({
    id: 'main',
    transport: chatTransport(DefaultChatTransport, `${root}/chat`, { fetch: fetchAs('ann') }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onFinish({ isAbort, isError, isDisconnect }) {
      if (!isAbort && (!isError || isDisconnect)) setTimeout(() => void page.resumeStream())
    },
  })
  return page
}

it.each([
  ['here', true, textAfter],
  ['here', false, textDeclined],
  ['elsewhere', true, textAfter],
] as const)('answers %s: %s', async (where, approved, last) => {
  const agent = booking()
  const server = handled({ agent: agent.agent, protocols: { chat: aiSdk({ version: 6 }) } })
  const page = pageOf(server)
  await page.sendMessage({ text: 'Book' })
  await eventually(() => expect([page.asked.length, page.status]).toEqual([1, 'ready']))
  const [id = ''] = page.asked
  if (where === 'here') await page.addToolApprovalResponse({ id, approved })
  else await server.answer('ann', 'main')
  await eventually(() => expect(page.text).toBe(`Book${textBefore}${last}`))
  await eventually(() => expect(page.status).toBe('ready'))
  expect([page.error, server.errors, agent.begun]).toEqual([undefined, [], ['Book']])
})
