// An editor on the official SDK of ACP, connected to an agent that `serveAcp` serves.

import type {
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionNotification,
} from '@agentclientprotocol/sdk'
import { type ClientContext, client, methods, ndJsonStream } from '@agentclientprotocol/sdk'
import type { Diagnostic } from 'turnstream'
import { serveAcp } from 'turnstream/acp'
import { type AgentTask, memoryStore, type Store } from 'turnstream/server'
import { afterEach } from 'vitest'
import type { ServeAcpOptions } from '../../src/acp/serve/serve-acp.ts'
import type { AcpSession } from '../../src/acp/serve/sessions.ts'
import type { StoreOptions } from '../../src/server/store.ts'

type Update = SessionNotification['update']

/** What the user of the editor answers. */
export type Answer = (
  request: RequestPermissionRequest,
  signal: AbortSignal,
) => RequestPermissionResponse | Promise<RequestPermissionResponse>

export const select =
  (kind: 'allow_once' | 'reject_once'): Answer =>
  ({ options }) => {
    const optionId = options.find((option) => option.kind === kind)?.optionId ?? ''
    return { outcome: { outcome: 'selected', optionId } }
  }

/** What an agent yields: drafts. */
export type Served = (task: AgentTask, session: AcpSession) => AsyncGenerator<never>

export interface Editor {
  readonly context: ClientContext
  readonly updates: Update[]
  readonly asked: RequestPermissionRequest[]
  readonly errors: unknown[]
  readonly diagnostics: Diagnostic[]
  readonly ended: Promise<void>
  newSession(): Promise<string>
  prompt(sessionId: string, text: string): Promise<{ readonly stopReason: string }>
  close(): void
}

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

export function storeOf(options: StoreOptions = {}): Store {
  const store = memoryStore(options)
  ends.push(() => store.close())
  return store
}

/** Connects an editor, and initializes it. */
export async function editorOf(
  agent: Served,
  {
    store = storeOf(),
    answer = select('allow_once'),
    user = 'ann',
    ...more
  }: { store?: Store; answer?: Answer; user?: string } & Pick<ServeAcpOptions, 'modes' | 'listSessions'> = {},
): Promise<Editor> {
  const [there, back] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()]
  const sending = there.writable.getWriter()
  const sent = new WritableStream<Uint8Array>({ write: (chunk) => sending.write(chunk) })
  const errors: unknown[] = []
  const diagnostics: Diagnostic[] = []
  const ended = serveAcp(ndJsonStream(back.writable, there.readable), {
    ...{ store, user, agent: agent as never, ...more },
    onError: (error) => void errors.push(error),
    onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
  })
  const updates: Update[] = []
  const asked: RequestPermissionRequest[] = []
  const app = client({ name: 'editor' })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
      asked.push(params)
      return answer(params, signal)
    })
    .onRequest(methods.client.fs.readTextFile, () => ({ content: 'High tide at 14:20.' }))
  const connection = app.connect(ndJsonStream(sent, back.readable))
  // The process of the editor ends.
  const close = (): void => {
    connection.close()
    sending.close().catch(() => undefined)
  }
  ends.push(async () => {
    close()
    await ended
  })
  const context = connection.agent
  await context.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: false } },
  })
  return {
    ...{ context, updates, asked, errors, diagnostics, ended, close },
    async newSession() {
      const { sessionId } = await context.request(methods.agent.session.new, { cwd: '/work', mcpServers: [] })
      return sessionId
    },
    prompt: (sessionId, text) =>
      context.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
  }
}

/** The text of the messages of a role. */
export function textOf(updates: readonly Update[], of = 'agent_message_chunk'): string {
  return updates
    .map((update) =>
      update.sessionUpdate === of && 'content' in update && !Array.isArray(update.content)
        ? ((update.content as { text?: string }).text ?? '')
        : '',
    )
    .join('')
}
