// Whether a recording is read as what the client of its protocol shows of it, in all but listed cases.

import { deepStrictEqual } from 'node:assert/strict'
import { fromA2a } from 'turnstream/a2a'
import { fromAgUi } from 'turnstream/ag-ui'
import { fromUiMessageStream } from 'turnstream/ai-sdk'
import { inOrder, shownByA2a, shownByAgUi, shownByChat } from './clients.ts'
import { type Entry, type Recording, readTurns, type Shown } from './recording.ts'

const now = (): number => 0
type Peer = readonly [
  shownByPeer: (recording: Recording) => Promise<Shown>,
  readerOf: (request: never) => unknown,
]
const agUi: Peer = [shownByAgUi, (request) => fromAgUi({ request, now })]
/** The reader of a request over A2A. One that subscribes again, or asks for the task, has no message. */
export const readA2a = ({ method, ...request }: { readonly method: string }): unknown =>
  fromA2a({ now, ...(method === 'SendStreamingMessage' && { request: request as never }) })
const others: Readonly<Record<string, Peer>> = {
  'pydantic-ai-chat': [shownByChat, (request) => fromUiMessageStream({ request, now })],
  'adk-a2a': [shownByA2a, readA2a],
}

/** The reader of a request to a peer. */
export const readerOf = (peer: string): ((request: never) => unknown) => (others[peer] ?? agUi)[1]

/** How a recording differs. */
interface Difference {
  /** What is reported. */
  readonly codes?: readonly string[]
  /** The client shows the same in another order, or two texts as one. */
  readonly order?: true
  /** The client shows nothing of calls without a result, which fail. */
  readonly withoutResult?: true
  /** The client refuses the stream, unless the arguments of a call follow its start. */
  readonly refused?: true
  /** How many calls the client does not show: they are part of no message of a snapshot, or are stated by a question alone. */
  readonly more?: number
  readonly status?: string
}

/** pydantic-ai states an opaque value of a result after it. */
const opaque: Difference = { codes: ['dropped:REASONING_ENCRYPTED_VALUE'] }
const noResult: Difference = { codes: ['inferred:tool-complete'], withoutResult: true }

/** The recordings that differ, and how. */
export const listed: Readonly<Record<string, Difference>> = {
  // The calls are streamed, and the message that they are part of is not.
  'langgraph quiet': { order: true },
  // A call that a node announces, and that is part of no message.
  'langgraph manual': { codes: ['dropped:MESSAGES_SNAPSHOT', 'inferred:tool-complete'], more: 1 },
  'langgraph long, cut': { status: 'working', codes: ['gap'] },
  // The connection has ended before the task, which goes on in the next one.
  'adk-a2a slow, reconnect': { codes: ['gap'] },
  'adk-a2a slow, reconnect, extension': { codes: ['gap'] },
  'mastra fails': noResult,
  'mastra mixed': noResult,
  // Both texts have the same id, with a call between them.
  'mastra chain': { order: true },
  // It asks for no approval over AG-UI, and runs the tool never.
  'mastra approve, answer {"approved":true}': noResult,
  'mastra approve, decline': noResult,
  'mastra suspend, answer {"ok":true}': { more: 1 },
  'pydantic-ai parallel': { refused: true },
  'pydantic-ai fails': opaque,
  'pydantic-ai mixed': { ...opaque, refused: true },
  'pydantic-ai silent': { refused: true },
  'pydantic-ai approve, decline': opaque,
}

const ofKind = (entries: readonly Entry[], kind: Entry[0]): Entry[] =>
  entries.filter(([each]) => each === kind)
const joined = (entries: readonly Entry[], kind: Entry[0]): string =>
  ofKind(entries, kind)
    .map(([, text]) => text)
    .join('')

/** What is shown, whatever the order. */
export const anyOrder = ({ status, entries }: Shown): object => ({
  status,
  user: ofKind(entries, 'user'),
  text: joined(entries, 'text'),
  thought: joined(entries, 'thought'),
  calls: ofKind(entries, 'call')
    .map((call) => JSON.stringify(call))
    .toSorted(),
})

/** Requires that what a reader shows of a recording is what the client shows. */
export async function check(peer: string, recording: Recording): Promise<void> {
  const [shownByPeer] = others[peer] ?? agUi
  const {
    codes: expected = [],
    status: stated,
    more = 0,
    ...difference
  } = listed[`${peer} ${recording.name}`] ?? {}
  const { shown, codes, errors } = readTurns(recording.turns, readerOf(peer))
  deepStrictEqual(errors, [])
  deepStrictEqual(codes, expected)
  const direct = await shownByPeer(recording)
  deepStrictEqual(direct.status === 'failed' && shown.status !== 'failed', difference.refused === true)
  const ordered = { ...recording, turns: inOrder(recording.turns) }
  const theirs = difference.refused ? await shownByPeer(ordered) : direct
  const known = ofKind(theirs.entries, 'call')
  const entries = shown.entries.flatMap((entry): Entry[] => {
    if (entry[0] !== 'call') return [entry]
    const same = known.find((call) => JSON.stringify(call.slice(1, 3)) === JSON.stringify(entry.slice(1, 3)))
    if (same === undefined && more > 0) return []
    return difference.withoutResult && same?.[3] === null ? [same] : [entry]
  })
  deepStrictEqual(shown.entries.length - entries.length, more)
  const view = difference.order || peer === 'adk-a2a' ? anyOrder : (all: Shown): object => all
  deepStrictEqual(view({ ...shown, entries }), view({ ...theirs, status: stated ?? theirs.status }))
}
