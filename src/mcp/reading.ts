/** What is found in a message. */
import type { Diagnostic } from '../core/machine.ts'
import type { EventDraft } from '../emitter/event-draft.ts'

/** Which tool call a message is about: the host knows the ids that it has given to MCP. One map for each connection. */
export interface McpMap {
  /**
   * Finds the call of a response by the `id` of its request, of progress by its `progressToken`, and of a task by its `taskId`. Only
   * calls of the connection: it may end each. Log messages may name none: they ask for `undefined`.
   */
  readonly callOf: (id: string | number | undefined) => McpCall | undefined
  /**
   * The server, as the user knows it: before each question, and as `metadata['mcp.server']`. Choose it yourself; what a server
   * states about itself is not verified. Omitted: questions are those of “An MCP server”.
   */
  readonly server?: string
  /**
   * Put before the `inputId` and `authId` of questions: unique for each connection, as each numbers its requests anew.
   *
   * @defaultValue `'mcp/'`
   */
  readonly idPrefix?: string
}

/** A tool call that an MCP server runs. */
export interface McpCall {
  readonly toolCallId: string
  readonly toolName: string
  /** The latest progress, which messages without one repeat: from 0 to 1. Defaults to 0. */
  readonly progress?: number
  /**
   * The `id` of each request that the call has led to, in order. A task repeats what it waits for: those listed are left out.
   * A call that is retried may ask the same again: those listed make it a new request. Defaults to none.
   */
  readonly asked?: readonly string[]
}

/** The drafts of a message. */
export interface FromMcp {
  /** To be emitted in the task that called the tool. */
  readonly drafts: readonly EventDraft[]
  /** What the server asks and waits for. The drafts have the questions. Omitted: nothing. */
  readonly question?: McpQuestion
  /** The task that the call has become, as long as it runs: send `tasks/get`, or wait for its notifications. Omitted: none. */
  readonly task?: McpTask
  /** The `id` of the {@link McpRequest} that the server has canceled: withdraw it, if it is open. Omitted: none. */
  readonly canceled?: string
  /** The `elicitationId` of the page that the user has completed, as the server states: send the call again. Omitted: none. */
  readonly completed?: string
  /**
   * `invalid-event` with the path of what cannot be read, or `dropped:<method>` with `detail.reason`:
   * `no-equivalent`, `waiting` or `no-open-task`.
   */
  readonly diagnostics: readonly Diagnostic[]
}

/** A question of a server: plain JSON, for {@link toMcpInputResponses}. Not for clients: it may hold the state of the server. */
export interface McpQuestion {
  /** What the user is to answer. Empty: retry at once. */
  readonly requests: readonly McpRequest[]
  /** What the server wants back, as it is. Omitted: nothing. */
  readonly requestState?: string
  /** The task that waits for the answers. Omitted: they belong to the retried call, or to `elicitation/create`. */
  readonly taskId?: string
}

/** A request of a server to the user. */
export interface McpRequest {
  /** The request, as the server names it. Omitted: it gets no response. Once the user has completed the page, send the call again. */
  readonly key?: string
  /** `input`: a form. `auth`: a page to open. */
  readonly type: 'input' | 'auth'
  /** The `inputId` or `authId`. */
  readonly id: string
  /** The question, with the name of the server. */
  readonly prompt: string
  /** How the server names the page when it is {@link FromMcp.completed}. Omitted: it does not report that. */
  readonly elicitationId?: string
}

/** A task of a server: the long run of a call. */
export interface McpTask {
  readonly taskId: string
  /** How many milliseconds to wait before `tasks/get`, as the server suggests: from 100 to 3 600 000. Omitted: it suggests none. */
  readonly pollIntervalMs?: number
}

/** A {@link FromMcp} that is being written. */
export interface Reading {
  readonly drafts: EventDraft[]
  readonly diagnostics: Diagnostic[]
  question?: McpQuestion
  task?: McpTask
  canceled?: string
  completed?: string
}

/** Adds a draft. Like all that reads into it, it returns the reading. */
export function add(reading: Reading, draft: EventDraft): Reading {
  reading.drafts.push(draft)
  return reading
}

/** Reports what has no event. */
export function drop(reading: Reading, method: string, reason: string, message: string, path = ''): Reading {
  const place = path === '' ? {} : { path }
  reading.diagnostics.push({ code: `dropped:${method}`, message, ...place, detail: { reason } })
  return reading
}

/** Reports what cannot be read. */
export function invalid(reading: Reading, expected: string, path = ''): Reading {
  const message = `Expected ${expected}, got another value.`
  reading.diagnostics.push({ code: 'invalid-event', path, message })
  return reading
}

/** What JSON makes of a value, which may be of any class: `undefined` if it cannot write it, such as a cycle. */
export function jsonCopy(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value))
  } catch {
    return undefined
  }
}
