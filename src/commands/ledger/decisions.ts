/**
 * What was decided in a task: kept until the task ends, also when requests and answers are forgotten. At most 128 bytes of JSON for each
 * request, its call included.
 */

import {
  emptyTrie,
  type HashTrie,
  hashOf,
  trieDelete,
  trieGet,
  trieSet,
} from '../../core/bounded-map/hash-trie.ts'
import { base64Of, textDigest } from '../../encoding/sha256.ts'
import type { TaskName } from '../../events/event.ts'
import { canonicalJson } from '../../json/canonical.ts'
import { audiences } from '../../streams/access/audience.ts'
import { contextKey } from '../../streams/context-key.ts'
import { CONTENT_LENGTH, contentKeyOf } from './same-request.ts'
import type { Decisions, LedgerState, RequestRecord, TaskDecisions } from './state.ts'
import type { Answer } from './types.ts'

/** How many requests a task may make, and how many tasks that have not ended may make some. One more is refused. */
export const MAX_REQUESTS = 10_000
export const MAX_ASKING = 1000

/** What the latest request to approve a call has led to. */
export interface CallDecision {
  readonly request: RequestRecord
  /** Whether the call has started since. */
  readonly isStarted: boolean
}

/** Whether a task may make one more request. */
export function hasRoom(state: LedgerState, task: TaskName): boolean {
  const known = decisionsOf(state, task)
  return known === undefined ? state.decisions.size < MAX_ASKING : known.size < MAX_REQUESTS
}

/** The decisions without those of a task: it has ended. */
export function withoutTask(state: LedgerState, task: TaskName): Decisions {
  if (decisionsOf(state, task) === undefined) return state.decisions
  const key = taskKey(task)
  return { size: state.decisions.size - 1, tasks: trieDelete(state.decisions.tasks, key, hashOf(key)) }
}

/** The decisions after a request was opened, or closed. */
export function withRequest(state: LedgerState, request: RequestRecord): Decisions {
  const { call, isExecution, status } = request
  const key = requestKey(request.type, request.id)
  const isNew = entryIn(state, request, key) === undefined
  const decisions = withEntry(state, request, key, textOf(request), isNew)
  if (call === undefined || isExecution === true || status !== 'open') return decisions
  return withEntry({ ...state, decisions }, request, callKey(call.toolCallId), key)
}

/** The decisions after a call has started. */
export function withStart(state: LedgerState, task: TaskName, toolCallId: string): Decisions {
  const key = callKey(toolCallId)
  const entry = entryIn(state, task, key)
  if (entry === undefined || entry.endsWith(STARTED)) return state.decisions
  return withEntry(state, task, key, entry + STARTED)
}

/** What was decided about a call; `undefined` if nobody was asked. */
export function callDecision(
  state: LedgerState,
  task: TaskName,
  toolCallId: string,
): CallDecision | undefined {
  const entry = entryIn(state, task, callKey(toolCallId))
  if (entry === undefined) return undefined
  const text = entryIn(state, task, entry.slice(0, KEY_LENGTH))
  return text === undefined
    ? undefined
    : { request: recordOf('input', task, '', text), isStarted: entry.endsWith(STARTED) }
}

/** Whether a call has started since a request asked about it; `undefined` if another one has asked later, or none has. */
export function isStartedBy(
  state: LedgerState,
  task: TaskName,
  toolCallId: string,
  inputId: string,
): boolean | undefined {
  const key = requestKey('input', inputId)
  const entry = entryIn(state, task, callKey(toolCallId))
  return entry?.startsWith(key) ? entry !== key : undefined
}

/** A request that is known by its decision alone. */
export function forgottenRequest(
  state: LedgerState,
  type: RequestRecord['type'],
  task: TaskName,
  id: string,
): RequestRecord | undefined {
  const text = entryIn(state, task, requestKey(type, id))
  return text === undefined ? undefined : recordOf(type, task, id, text)
}

/** A letter for an outcome, or a digest of an answer: equal for those to one request that mean the same. */
export function answerKey(outcome: Answer['outcome'], value: unknown): string {
  return value === undefined ? outcome.slice(0, 1) : digestOf(canonicalJson([outcome, value]) ?? '', 8)
}

/** The same of an answer that was accepted. */
export function answerKeyOf({ outcome, value, authId }: Answer): string {
  return answerKey(outcome, outcome === 'declined' || authId !== undefined ? undefined : value)
}

/** Whether a request has approved a call with a digest. */
export function hasApproved({ approved }: RequestRecord, digest: string): boolean {
  return approved !== undefined && approvedKey(approved) === approvedKey(digest)
}

/** What of the digest of a call is kept: 132 bits. The same of what is kept. */
function approvedKey(digest: string): string {
  return digest.length === APPROVED_LENGTH ? digest : base64Of(digest, APPROVED_LENGTH)
}

const APPROVED_LENGTH = 22

const STARTED = '!'

/** The states, by their digits. */
const states = ['open', 'answered', 'expired', 'closed', 'foreign'] as const

const REQUIRES_USER = 32
const APPROVES = 64
const DECLINED = 128

/** `<status><flags><content><answer><approved>`, of which all but the answer have one length: type and id are in the key. */
function textOf(request: RequestRecord): string {
  const {
    status,
    audience = audiences,
    requireUser,
    isDeclined,
    call,
    isExecution,
    answer,
    approved,
  } = request
  const flags =
    audiences.reduce((sum, each, i) => sum + (audience.includes(each) ? 1 << i : 0), 0) +
    (requireUser ? REQUIRES_USER : 0) +
    (call !== undefined && isExecution !== true ? APPROVES : 0) +
    (isDeclined === true ? DECLINED : 0)
  const head = states.indexOf(status) + flags.toString(16).padStart(2, '0')
  const digests = [answer ? answerKeyOf(answer) : '', approved === undefined ? '' : approvedKey(approved)]
  return [head, contentKeyOf(request), ...digests].join('')
}

function recordOf(
  type: RequestRecord['type'],
  { contextId, taskId }: TaskName,
  id: string,
  text: string,
): RequestRecord {
  const flags = Number.parseInt(text.slice(1, 3), 16)
  const content = text.slice(3, 3 + CONTENT_LENGTH)
  const digests = text.slice(3 + CONTENT_LENGTH)
  const approved = digests.length < APPROVED_LENGTH ? '' : digests.slice(-APPROVED_LENGTH)
  const answer = digests.slice(0, digests.length - approved.length)
  return {
    ...{ type, id, contextId, taskId, prompt: '', askedAt: '', expiresAt: null },
    status: states[Number(text[0])] as RequestRecord['status'],
    requireUser: (flags & REQUIRES_USER) !== 0,
    audience: audiences.filter((_, i) => (flags & (1 << i)) !== 0),
    isDeclined: (flags & DECLINED) !== 0,
    forgotten: { content, answer, isApproval: (flags & APPROVES) !== 0 },
    ...(approved !== '' && { approved }),
  }
}

function decisionsOf({ decisions }: LedgerState, task: TaskName): TaskDecisions | undefined {
  const key = taskKey(task)
  return trieGet(decisions.tasks, key, hashOf(key))
}

function entryIn(state: LedgerState, task: TaskName, key: string): string | undefined {
  const known = decisionsOf(state, task)
  return known && trieGet(known.entries, storedKey(key), hashOf(key))
}

function withEntry(state: LedgerState, task: TaskName, key: string, text: string, isNew = false): Decisions {
  const known = decisionsOf(state, task)
  const { size, entries } = known ?? { size: 0, entries: emptyTrie as HashTrie<string> }
  const changed = {
    size: isNew ? size + 1 : size,
    entries: trieSet(entries, storedKey(key), hashOf(key), text),
  }
  const of = taskKey(task)
  return {
    size: state.decisions.size + (known === undefined ? 1 : 0),
    tasks: trieSet(state.decisions.tasks, of, hashOf(of), changed),
  }
}

function taskKey({ contextId, taskId }: TaskName): string {
  return contextKey(contextId, taskId)
}

function requestKey(type: RequestRecord['type'], id: string): string {
  return digestOf(type + JSON.stringify(id), KEY_LENGTH)
}

function callKey(toolCallId: string): string {
  return digestOf(`call${JSON.stringify(toolCallId)}`, KEY_LENGTH)
}

const KEY_LENGTH = 17

/** What of a key is stored beside its hash, which has 32 bits of it. */
function storedKey(key: string): string {
  return key.slice(6)
}

/** Of any length in, of one length out. Lone surrogates are to be written as JSON, where they differ. */
function digestOf(text: string, length: number): string {
  return base64Of(textDigest(text), length)
}
