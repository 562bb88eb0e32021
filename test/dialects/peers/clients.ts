// What the clients of the protocols show of recordings.

import type { AgUiMessage, AgUiRunInput } from 'turnstream/ag-ui'
import { AgUiPage } from './ag-ui-page.ts'
import { ChatPage } from './chat-page.ts'
import type { Entry, Recording, Shown, Turn } from './recording.ts'

/** What `HttpAgent` has after the runs. */
export async function shownByAgUi({ turns }: Recording): Promise<Shown> {
  const [threadId = ''] = turns.map(({ request }) => (request as AgUiRunInput).threadId)
  let items: readonly object[] = []
  const page = new AgUiPage(threadId, async () => {
    const text = items.map((item) => `data: ${JSON.stringify(item)}\n\n`).join('')
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
  })
  for (const turn of turns) {
    const { messages, runId, tools, resume, forwardedProps } = turn.request as AgUiRunInput
    const known = new Set(page.client.messages.map(({ id }) => id))
    for (const message of messages as AgUiMessage[])
      if (!known.has(message.id)) page.client.addMessage({ ...message })
    items = turn.items
    await page.run({ runId, tools, forwardedProps, ...(resume !== undefined && { resume }) })
  }
  return page.shown()
}

/** What a page of the AI SDK has after the responses. */
export async function shownByChat({ turns }: Recording): Promise<Shown> {
  let items: readonly object[] = []
  const page = new ChatPage('', async () => items)
  for (const { request, items: sent } of turns) {
    page.messages = (request as { messages: typeof page.messages }).messages
    items = sent
    await page.run()
  }
  return page.shown()
}

interface Part {
  readonly text?: string
  readonly data?: {
    readonly id: string
    readonly name: string
    readonly args?: unknown
    readonly response?: unknown
  }
  readonly metadata?: { readonly adk_thought?: boolean; readonly adk_type?: string }
}

interface Message {
  readonly messageId?: string
  readonly role?: string
  readonly parts?: readonly Part[]
}

interface Task {
  readonly status: { readonly state: string; readonly message?: Message }
  readonly artifacts?: readonly Message[]
  readonly history?: readonly Message[]
}

const states: Readonly<Record<string, string>> = {
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_INPUT_REQUIRED: 'waiting',
  TASK_STATE_FAILED: 'failed',
}

/** What the task of A2A is at its end. Its texts and thoughts are those of its artifacts. */
export async function shownByA2a({ task, turns }: Recording): Promise<Shown> {
  const { status, artifacts = [], history: all = [] } = task as Task
  // The message that a question is part of is in it twice.
  const history = all.filter(
    ({ messageId }, i) => all.findIndex((each) => each.messageId === messageId) === i,
  )
  const sent = turns.flatMap(({ items }) => items as { result?: { task?: Task } }[])
  const first = history.length > 0 ? history : (sent[0]?.result?.task?.history ?? [])
  // What it failed with is part of the history as well.
  const why = JSON.stringify(status.message?.parts)
  const streamed = history.filter(
    ({ role, parts = [] }) =>
      role === 'ROLE_AGENT' && parts.some(({ text }) => text !== undefined) && JSON.stringify(parts) !== why,
  )
  const said = streamed.length > 0 ? streamed : artifacts
  const parts = [...history, ...artifacts, ...(status.message ? [status.message] : [])].flatMap(
    ({ parts = [] }) => parts,
  )
  const results = new Map(
    parts.flatMap(({ data, metadata }) =>
      metadata?.adk_type === 'function_response' && data !== undefined ? [[data.id, data.response]] : [],
    ),
  )
  const calls = new Map(
    parts.flatMap(({ data, metadata }) =>
      metadata?.adk_type === 'function_call' && data !== undefined ? [[data.id, data]] : [],
    ),
  )
  const user = first.find(({ role }) => role === 'ROLE_USER')
  const entries: Entry[] = [
    ['user', (user?.parts ?? []).map(({ text }) => text).join('')],
    ...[...calls.values()].map(
      ({ id, name, args }): Entry => ['call', name, args, outcomeOf(results.get(id))],
    ),
    ['text', saidIn(said, false)],
    ['thought', saidIn(said, true)],
  ]
  return { status: states[status.state] ?? status.state, entries }
}

/** The result of a call, or its error. */
function outcomeOf(response: unknown): unknown {
  return (response as { error?: unknown } | undefined)?.error ?? response ?? null
}

/** What messages say: in pieces, which a message with the whole follows. */
function saidIn(messages: readonly Message[], isThought: boolean): string {
  let [said, pieces] = ['', '']
  for (const { parts = [] } of messages) {
    const own = parts.filter(({ metadata }) => (metadata?.adk_thought ?? false) === isThought)
    const text = own.map((part) => part.text ?? '').join('')
    if (text !== '' && text === pieces) [said, pieces] = [said + text, '']
    else pieces += text
  }
  return said + pieces
}

/** The same turns with the arguments of each call next to its start, as `HttpAgent` requires. */
export function inOrder(turns: readonly Turn[]): Turn[] {
  const isOf = (item: object, id: unknown): boolean => (item as { toolCallId?: string }).toolCallId === id
  const types = ['TOOL_CALL_ARGS', 'TOOL_CALL_END']
  const isRest = (item: object): boolean => types.includes((item as { type: string }).type)
  return turns.map(({ request, items }) => ({
    request,
    items: items.flatMap((item) => {
      const { type, toolCallId } = item as { type: string; toolCallId?: string }
      if (isRest(item)) return []
      if (type !== 'TOOL_CALL_START') return [item]
      const rest = items.filter((each) => isRest(each) && isOf(each, toolCallId))
      return [item, ...types.flatMap((of) => rest.filter((each) => (each as { type: string }).type === of))]
    }),
  }))
}
