// What the model is sent after a reload is what it is sent while the page lives: the steps of a message are its iterations.
import { readFileSync } from 'node:fs'
import { convertToModelMessages } from 'ai'
import { describe, expect, it } from 'vitest'
import { readerOf, readers } from '../../../examples/readers.ts'
import { toUiMessageStream, type UiMessageChunk, uiMessages } from '../../../src/dialects/ai-sdk/index.ts'
import { type ContextAnyEvent, createEmitter, type EventDraft } from '../../../src/index.ts'
import { emptyView, foldEvents } from '../../../src/streams/index.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { readBody } from '../../support/providers/read-body.ts'
import { readMessage } from './readers.ts'

const viewer = { audience: 'operator' } as const

/** The drafts of a recorded response. */
function recorded(provider: string, iteration: number): EventDraft[] {
  const file = provider === 'bedrock' ? 'bedrock.jsonl' : `${provider}.sse`
  const bytes = readFileSync(new URL(`../../../examples/recordings/${file}`, import.meta.url))
  return readBody(readerOf(provider, { iteration, calls: 'start' }), [bytes]).drafts
}

/** A task that calls the tools of a response, two more at the same time, and the model again. */
function conversation(provider: string): ContextAnyEvent[] {
  let iteration = 0
  const { emit } = createEmitter({
    contextId: 'ctx-1',
    taskId: 'task-1',
    now: () => 0,
    iteration: () => iteration,
  })
  const more = ['left', 'right'].map(
    (toolCallId): EventDraft => ({ kind: 'tool-start', toolCallId, toolName: 'look', arguments: {} }),
  )
  const events = [
    emit({ kind: 'task-created', initiator: 'user' }),
    ...[...recorded(provider, 0), ...more].map((draft) => emit(draft)),
  ]
  const started = events.flatMap((event) => (event.kind === 'tool-start' ? [event] : []))
  for (const { toolCallId, toolName } of started) {
    events.push(emit({ kind: 'tool-complete', toolCallId, toolName, success: true, result: toolCallId }))
  }
  iteration = 1
  events.push(
    emit({ kind: 'content-delta', delta: 'One moment.' }),
    emit({ kind: 'content-complete', content: 'One moment.' }),
    emit({ kind: 'tool-start', toolCallId: 'again', toolName: 'look', arguments: {} }),
    emit({ kind: 'tool-complete', toolCallId: 'again', toolName: 'look', success: true, result: 1 }),
  )
  iteration = 2
  return [
    ...events,
    emit({ kind: 'content-complete', content: 'Done.' }),
    emit({ kind: 'task-status', status: 'completed' }),
  ]
}

describe.each(Object.keys(readers))('%s', (provider) => {
  it('gives the same messages live and from the view', async () => {
    const events = conversation(provider)
    const chunks = resultsOf(toUiMessageStream({ viewer }) as never, events).flatMap(
      ({ out }) => out as UiMessageChunk[],
    )
    const { message } = await readMessage(7, chunks)
    const stored = uiMessages(foldEvents(emptyView, events), { viewer }).filter(
      ({ role }) => role === 'assistant',
    )
    const [live, reloaded] = await Promise.all(
      [[message], stored].map((messages) =>
        convertToModelMessages(JSON.parse(JSON.stringify(messages)) as never),
      ),
    )
    expect(reloaded).toEqual(live)
    expect(live?.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant', 'tool', 'assistant'])
  })
})
