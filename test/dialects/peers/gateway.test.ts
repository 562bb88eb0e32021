// Proves that an ordinary turn through a gateway reports what a page of its protocol cannot show, and nothing else.
import { type ContextAnyEvent, type Diagnostic, type Machine, run } from 'turnstream'
import { demuxTasks, toA2a } from 'turnstream/a2a'
import { toAgUi } from 'turnstream/ag-ui'
import { toUiMessageStream } from 'turnstream/ai-sdk'
import { expect, it } from 'vitest'
import { readerOf } from './compare.ts'
import { peers, readTurns, recordingsOf } from './recording.ts'

type Page = Machine<object, ContextAnyEvent, unknown, never>

const whole = { awaitResult: true } as const

/** What the framework tells its own clients, in fields of its own. */
const ofFramework = ['hidden:metadata /metadata/langgraph', 'hidden:metadata /metadata/mastra'] as const
/** Of a failure, the message of A2A that states it. */
const failure = ['lossy:metadata /metadata/a2a'] as const
const answers = ['lossy:providedBy /providedBy', 'lossy:userId /userId'] as const
const approvals = [
  ...['lossy:metadata /metadata', 'lossy:requireUser /requireUser', 'lossy:schema /schema'],
  // Why a call was declined.
  'lossy:error /error',
] as const
/** A text that was streamed and is another one. */
const replaced = ['lossy:content /content'] as const

const chat = [...ofFramework, ...failure, ...replaced] as const
const a2a = [
  ...[...ofFramework, ...failure, ...answers, 'lossy:outcome /outcome'],
  ...['dropped:thought-delta', 'dropped:thought-stream', 'dropped:custom'],
  ...['dropped:tool-arguments-delta', 'dropped:tool-start', 'dropped:tool-complete'],
  // What pydantic-ai states of the message at its end.
  ...['lossy:metadata /metadata/aiSdk', 'dropped:task-complete'],
] as const

/** The machines of the pages, and what each cannot show of these conversations: the code, and where it is lost. */
const pages: Readonly<Record<string, readonly [machine: () => unknown, losses: readonly string[]]>> = {
  'AG-UI': [
    () => toAgUi({ messages: [] }),
    // A text that was retracted has no message that ends.
    [...ofFramework, 'dropped:input-received', 'dropped:content-complete', 'lossy:metadata /metadata/aiSdk'],
  ],
  'AI SDK 7': [() => demuxTasks(toUiMessageStream() as Page, whole), [...chat, ...answers, ...approvals]],
  'AI SDK 6': [
    () => demuxTasks(toUiMessageStream({ version: 6 }) as Page, whole),
    [...chat, ...answers, ...approvals, 'lossy:prompt /prompt'],
  ],
  'AI SDK 5': [() => demuxTasks(toUiMessageStream({ version: 5 }) as Page, whole), chat],
  'A2A 1.0': [() => demuxTasks(toA2a({ version: '1.0' }), whole), a2a],
  'A2A 0.3': [() => demuxTasks(toA2a({ version: '0.3' }), whole), a2a],
}

/** The events of each conversation that was not cut. */
const conversations = peers.flatMap((peer) =>
  recordingsOf(peer)
    .filter(({ name }) => !/cut|reconnect/.test(name))
    .map(({ turns }) => readTurns(turns, readerOf(peer)).events),
)

it.each(Object.entries(pages))('a page of %s', (_, [machine, losses]) => {
  const lost = new Set<string>()
  for (const events of conversations) {
    const onDiagnostic = ({ code, path = '' }: Diagnostic): void => {
      lost.add(`${code} ${path}`.trim())
    }
    const page = run(machine() as Page, { onDiagnostic })
    for (const event of events) page.push(event)
    page.end()
  }
  expect([...lost].toSorted()).toEqual(losses.toSorted())
})
