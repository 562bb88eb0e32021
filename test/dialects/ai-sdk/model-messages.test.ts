// What the model is sent after a reload is what it is sent while the page lives: the steps of a message are its iterations.
import { convertToModelMessages } from 'ai'
import { describe, expect, it } from 'vitest'
import { readers } from '../../../examples/readers.ts'
import { toUiMessageStream, type UiMessageChunk, uiMessages } from '../../../src/dialects/ai-sdk/index.ts'
import { emptyView, foldEvents } from '../../../src/streams/index.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { conversation } from '../../support/recorded-conversation.ts'
import { readMessage } from './readers.ts'

const viewer = { audience: 'operator' } as const

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
