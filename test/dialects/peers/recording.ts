// Recordings of servers of frameworks, and what a reader shows of them.

import { readdirSync, readFileSync } from 'node:fs'
import { type ContextAnyEvent, type Machine, run } from 'turnstream'
import { emptyView, foldEvents, type TaskView, verifier } from 'turnstream/streams'

/** A request, and what the server answered. */
export interface Turn {
  readonly request: object
  readonly items: readonly object[]
}

export interface Recording {
  readonly name: string
  readonly turns: readonly Turn[]
  /** Of A2A: the task as the server returns it at the end. */
  readonly task?: object
}

/** What a page shows, in order: prompts, texts, thoughts, and calls with arguments and result. */
export type Entry =
  | readonly ['user' | 'text' | 'thought', string | undefined]
  | readonly ['call', name: string | undefined, args: unknown, result: unknown]

export interface Shown {
  readonly status: string
  readonly entries: readonly Entry[]
}

const folder = new URL('../../fixtures/peers/', import.meta.url)

/** The recordings of a peer. Each line is one. */
export function recordingsOf(peer: string): Recording[] {
  return readFileSync(new URL(`${peer}.jsonl`, folder), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recording)
}

export const peers: readonly string[] = readdirSync(folder).map((name) => name.replace('.jsonl', ''))

/** What was read: what a view shows, the codes of diagnostics, and the broken rules. */
export interface Read {
  readonly shown: Shown
  readonly codes: readonly string[]
  readonly errors: readonly object[]
  readonly events: readonly ContextAnyEvent[]
}

type Reader = Machine<object, never, ContextAnyEvent>

/** Reads the turns, each by a reader of its own that goes on with the state of the one before. */
export function readTurns(turns: readonly Turn[], readerOf: (request: never) => unknown): Read {
  const codes: string[] = []
  let state: object | undefined
  const events = turns.flatMap(({ request, items }) => {
    const reader = run(readerOf(request as never) as Reader, {
      ...(state !== undefined && { state }),
      onDiagnostic: ({ code }) => codes.push(code),
    })
    const out = items.flatMap((item) => reader.push(item as never))
    state = JSON.parse(JSON.stringify(reader.state)) as object
    return [...out, ...reader.end()]
  })
  const { push } = run(verifier({ mode: 'strict' }))
  const errors = events.flatMap((event) => push(event)).filter(({ severity }) => severity === 'error')
  return { shown: shownIn(foldEvents(emptyView, events).tasks), codes, errors, events }
}

function shownIn(tasks: readonly TaskView[]): Shown {
  const entries = tasks.flatMap(({ input, parts }): Entry[] => [
    ...(typeof input === 'string' ? [['user', input] as const] : []),
    ...parts.flatMap((part): Entry[] => {
      if (part.type === 'text') return part.text === '' ? [] : [['text', part.text]]
      if (part.type === 'thought') return [['thought', part.text]]
      if (part.type !== 'tool') return []
      return [['call', part.toolName, part.arguments, part.result ?? part.error ?? null]]
    }),
  ])
  const status = tasks.findLast(({ parentTaskId }) => parentTaskId === null)?.status
  const isWaiting = status === 'waiting-input' || status === 'waiting-auth'
  return { status: isWaiting ? 'waiting' : String(status), entries }
}
