// The messages of a view are those that a page has after it read the stream, for the responses of all providers.
import { expect, it } from 'vitest'
import { readers } from '../../../examples/readers.ts'
import { type AgUiMessage, agUiMessages } from '../../../src/dialects/ag-ui/index.ts'
import { parsedJson } from '../../../src/json/parsed.ts'
import { emptyView, foldEvents } from '../../../src/streams/index.ts'
import { conversation } from '../../support/recorded-conversation.ts'
import { pageOf } from './peers.ts'
import { outputsOf, writer } from './support.ts'

/** A message without what views do not keep: the metadata of calls and results, and how arguments are spelled. */
function comparable(message: AgUiMessage): object {
  if (message.role === 'tool') return { ...message, metadata: undefined, error: undefined }
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message
  const toolCalls = message.toolCalls.map(({ id, function: { name, arguments: text } }) => {
    return { id, name, args: parsedJson(text) ?? text }
  })
  return { ...message, toolCalls }
}

it.each(Object.keys(readers))('%s', async (provider) => {
  const events = conversation(provider)
  const viewer = { audience: 'user' } as const
  const written = outputsOf(writer({ viewer }), events)
  const { messages, errors } = await pageOf(written)
  expect(errors).toEqual([])
  const found = agUiMessages(foldEvents(emptyView, events), { viewer })
  const byId = (all: typeof messages): Map<string, object> =>
    new Map(all.map((message) => [`${message.role} ${message.id}`, comparable(message)]))
  expect(byId(found)).toEqual(byId(messages))
  // Results and progress follow their calls, in the view at once.
  const order = (all: typeof messages): string[] =>
    all.map(({ id }) => id).filter((id) => !/:(result|progress)$/.test(id))
  expect(order(found)).toEqual(order(messages))
  const steps = written.flatMap((event) => (event.type === 'STEP_STARTED' ? [event.stepName] : []))
  expect(steps).toEqual([0, 1, 2].map((iteration) => `turnstream.iteration:${iteration}`))
})
