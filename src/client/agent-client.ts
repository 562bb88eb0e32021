/** A conversation on a page: what it shows, and what its user does. */

import type { CommandDraft } from '../commands/create.ts'
import type { Receipt } from '../commands/ledger/types.ts'
import type { JsonValue } from '../core/json-value.ts'
import { setMember } from '../core/mutable.ts'
import { mismatch, optional, requireFunction, requireText } from '../core/require.ts'
import { type Waiting, wakeAll } from '../core/waiting.ts'
import type { OpenRequest } from '../streams/open-request.ts'
import { sendCommand } from './commands.ts'
import { type Change, Conversation } from './conversation.ts'
import { findRequest, type RequestOrId } from './find-request.ts'
import { olderPage } from './history.ts'
import { type AgentClientOptions, clientSettings } from './options.ts'
import { readConversation } from './read-conversation.ts'
import type { AgentState, Saved } from './state.ts'
import { hasTabs, joinTabs, type Tab } from './tabs.ts'

/** Names what tabs send one another: those with another version of it read for themselves. */
const TABS = 'turnstream/1'

/** A conversation on a page. Its functions need no `this`, so they can be passed on as they are. */
export interface AgentClient {
  /** The state as it is now: the same object until it changes. */
  getSnapshot(): AgentState
  /**
   * Calls a listener after each change. Connects with the first listener, and leaves with the last; with the next one it continues
   * where it was.
   *
   * @returns a function that ends the subscription.
   * @throws TypeError if `listener` is not a function.
   */
  subscribe(listener: () => void): () => void
  /** What to keep for a reload: the option `saved`. */
  save(): Saved
  /**
   * Sends a message. Does not wait for the answer: `view` shows message and answer as they come.
   *
   * @throws {@link CommandError}, as do all that return a receipt.
   */
  send: SendMessage
  /**
   * Approves a call, as the view shows it.
   *
   * @param request - The request, or its id: also the `approval.inputId` of the call.
   * @param edited - Other arguments as JSON text, if the request is `editable`. Omitted: those of the call.
   */
  approve(request: RequestOrId, edited?: string): Promise<Receipt>
  /**
   * Declines a request.
   *
   * @param request - The request, or its id: its `inputId` or `authId`.
   * @param reason - Why, for people and the model. Omitted: nothing is stated.
   */
  decline(request: RequestOrId, reason?: string): Promise<Receipt>
  /**
   * Answers a request.
   *
   * @param request - The request, or its id.
   * @param value - The answer. Of an authentication, it is what the server is to verify.
   */
  answer(request: RequestOrId, value: JsonValue): Promise<Receipt>
  /**
   * States the result of a call that the page runs.
   *
   * @param call - The request for it, or its `toolCallId`.
   */
  result(call: RequestOrId, value: JsonValue): Promise<Receipt>
  /** Cancels a task, or all tasks that have not ended if `taskId` is omitted. */
  cancel(taskId?: string): Promise<Receipt>
  /**
   * Shows the page of tasks before the oldest one that is shown. Resolves to whether there is more before it.
   *
   * @throws {@link CommandError} if the server does not answer.
   */
  older(): Promise<boolean>
}

/** Sends a message, or what a form states: `<form action={send}>`. An empty form is not sent; why one could not be sent is the `error` of the state. */
export type SendMessage = {
  (form: FormData): void
  (input: JsonValue): Promise<Receipt>
}

/**
 * Creates a client of `agentHandler`: the state of one conversation as a page shows it, and what its user does.
 *
 * It reconnects and resumes by itself. Of the tabs of one browser, one reads for all, where the platform has Web Locks and no `fetch`
 * is passed in. If the server has lost the conversation, such as by a restart without a database, what was shown stays, and
 * `isStale` states it; what another user has seen does not stay.
 *
 * @param url - That of the handler.
 * @throws TypeError if an argument is invalid.
 *
 * @example
 * ```ts
 * const client = agentClient('/agent')
 * client.subscribe(() => render(client.getSnapshot()))
 * await client.send('When is high tide?')
 * ```
 */
export function agentClient(url: string, options: AgentClientOptions = {}): AgentClient {
  const settings = clientSettings(url, options)
  const conversation = new Conversation(settings.saved, settings.features)
  const waiting: Waiting = new Set()
  let listeners = 0
  let leave: AbortController | undefined
  let tab: Tab | undefined
  /** The task before which the next older page ends, and the stream that has it. */
  let before: { readonly taskId: string; readonly stream: string | undefined } | undefined

  function enter(): void {
    leave = new AbortController()
    const { signal } = leave
    const onWake = (): void => wakeAll(waiting)
    const read = (change: (change: Change) => void): Promise<void> =>
      readConversation(conversation, settings, waiting, change, signal)
    // What ends at once when the network is back is the wait for it.
    globalThis.addEventListener?.('online', onWake, { signal })
    if (settings.isShared && hasTabs()) {
      const name = `${TABS} ${URL.canParse(settings.url) ? settings.url : new URL(settings.url, location.href)}`
      tab = joinTabs({ name, conversation, read, onWake, signal })
      return
    }
    tab = { wake: onWake }
    void read((change) => conversation.apply(change))
  }

  async function post(draft: CommandDraft): Promise<Receipt> {
    try {
      return await sendCommand(draft, settings, waiting, conversation.saved.stream)
    } finally {
      // Also what is refused states that there is a server, and perhaps that the page shows what another user may not see.
      tab?.wake()
    }
  }

  /** Answers a request, naming what the view shows: the answer counts for nothing else. */
  function respond(
    name: RequestOrId,
    outcome: 'answered' | 'declined',
    rest: { readonly value?: JsonValue; readonly reason?: string },
  ): Promise<Receipt> {
    const asking = ({ id, type }: { id: string; type?: string }) => (type === 'tool' ? undefined : id)
    const { id, task, request } = findRequest(name, conversation.state.requests, asking)
    if (request?.type === 'auth') {
      const { value: claim, reason: message } = rest
      const claimed = outcome === 'answered' ? 'completed' : 'denied'
      return post({
        ...{ kind: 'auth.respond', ...task, authId: id, outcome: claimed },
        ...(claim !== undefined && { claim }),
        ...(message !== undefined && { message }),
      })
    }
    const digest = request?.call && { callDigest: request.call.digest }
    return post({ kind: 'input.respond', responses: [{ inputId: id, ...task, outcome, ...rest, ...digest }] })
  }

  function send(form: FormData): undefined
  function send(input: JsonValue): Promise<Receipt>
  function send(input: JsonValue | FormData): Promise<Receipt> | undefined {
    if (typeof FormData !== 'function' || !(input instanceof FormData))
      return post({ kind: 'task.send', input: input as JsonValue })
    const stated = inputOf(input)
    if (stated === undefined) return undefined
    // It does not wait: what is typed meanwhile would be lost when the page resets the form.
    post({ kind: 'task.send', input: stated }).then(
      () => conversation.apply({ type: 'sent' }),
      (error) => conversation.apply({ type: 'sent', error }),
    )
    return undefined
  }

  return {
    getSnapshot: () => conversation.state,
    subscribe(listener) {
      requireFunction('listener', listener)
      const end = conversation.listeners.add(listener)
      if (++listeners === 1) enter()
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        end()
        if (--listeners === 0) leave?.abort()
      }
    },
    save: () => conversation.saved,
    send,
    approve(request, edited) {
      optional(requireText, 'edited', edited)
      return respond(request, 'answered', edited === undefined ? {} : { value: { arguments: edited } })
    },
    decline(request, reason) {
      optional(requireText, 'reason', reason)
      return respond(request, 'declined', reason === undefined ? {} : { reason })
    },
    answer: (request, value) => respond(request, 'answered', { value }),
    result(call, value) {
      const { id, task } = findRequest(call, conversation.state.requests, callIdOf)
      return post({ kind: 'tool.result', ...task, toolCallId: id, success: true, result: value })
    },
    cancel(taskId) {
      optional(requireText, 'taskId', taskId)
      return post({ kind: 'task.cancel', ...(taskId !== undefined && { taskId }) })
    },
    async older() {
      const { view, stream } = conversation.saved
      const first = view.tasks.find((task) => task.parentTaskId === null)?.taskId
      const from = before?.stream === stream ? before?.taskId : (view.older ?? first)
      if (from === undefined) return false
      const { events, older } = await olderPage(from, settings, stream)
      before = { taskId: older ?? from, stream }
      conversation.apply({ type: 'older', events, older, stream })
      return older !== undefined
    },
  }
}

/** The id of the call that a request asks the page to run. */
function callIdOf({ id, type, isExecution = false, call }: Partial<OpenRequest>): string | undefined {
  if (type === 'tool') return id
  return isExecution ? call?.toolCallId : undefined
}

/**
 * The input that a form states: the text of its only field, or an object of the texts by the names of the fields. `undefined` if it
 * is only an empty text.
 *
 * @throws TypeError for files: upload them, and send where they are.
 */
export function inputOf(form: FormData): string | Record<string, string> | undefined {
  const fields: Record<string, string> = {}
  let count = 0
  let text = ''
  form.forEach((value, name) => {
    if (typeof value !== 'string') throw mismatch(`form.${name}`, 'a text', value)
    setMember(fields, name, value)
    text = value
    count++
  })
  if (count > 1) return fields
  return text.trim() === '' ? undefined : text
}
