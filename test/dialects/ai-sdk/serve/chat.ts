/** A page of `useChat` without React: the chat of the AI SDK with a state that is a plain object. */
import {
  AbstractChat,
  type ChatInit,
  type ChatState,
  type ChatStatus,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from 'ai'
import { chatTransport } from 'turnstream/ai-sdk'
import { type Handled, root } from '../../../support/protocols.ts'

class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = 'ready'
  error: Error | undefined
  messages: UIMessage[]
  readonly seen: ChatStatus[] = []
  constructor(messages: UIMessage[]) {
    this.messages = messages
  }
  pushMessage = (message: UIMessage): void => {
    this.messages = [...this.messages, structuredClone(message)]
  }
  popMessage = (): void => {
    this.messages = this.messages.slice(0, -1)
  }
  replaceMessage = (index: number, message: UIMessage): void => {
    this.messages = this.messages.map((each, i) => (i === index ? structuredClone(message) : each))
  }
  snapshot = <T>(thing: T): T => structuredClone(thing)
}

export class Page extends AbstractChat<UIMessage> {
  constructor(init: ChatInit<UIMessage>) {
    super({ ...init, state: new PlainState(init.messages ?? []) })
  }

  get text(): string {
    return this.messages.map((message) => textOf(message)).join('|')
  }

  /** The state of each call. */
  get calls(): string[] {
    return this.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'dynamic-tool' ? [part.state] : [])),
    )
  }

  /** The approvals that the page asks for. */
  get asked(): string[] {
    return this.messages.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.type === 'dynamic-tool' && part.state === 'approval-requested' ? [part.approval.id] : [],
      ),
    )
  }

  async respond(approved: boolean): Promise<void> {
    for (const id of this.asked) await this.addToolApprovalResponse({ id, approved })
  }
}

export const textOf = ({ role, parts }: UIMessage): string =>
  `${role}: ${parts.map((part) => (part.type === 'text' ? part.text : '')).join('')}`

/** A page of a user, as the documentation has it; with what the server has of the conversation. */
export async function openPage(
  { fetchAs }: Pick<Handled, 'fetchAs'>,
  { user = 'ann', id = 'main', resume = true }: { user?: string; id?: string; resume?: boolean } = {},
): Promise<Page> {
  const send = fetchAs(user)
  const loaded = (await (await send(`${root}/chat/${id}`)).json()) as UIMessage[]
  const page: Page = new Page({
    id,
    messages: loaded,
    transport: chatTransport(DefaultChatTransport, `${root}/chat`, { fetch: send }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onFinish({ isAbort, isError, isDisconnect }) {
      if (resume && !isAbort && (!isError || isDisconnect)) setTimeout(() => void page.resumeStream())
    },
  })
  if (resume) void page.resumeStream()
  return page
}
