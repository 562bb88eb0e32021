// Proves that the output in one version equals the SDK's translation of the output in the other.

import { StreamResponse } from '@a2a-js/sdk'
import { legacyPushNotificationToV1StreamResponse } from '@a2a-js/sdk/compat/v0_3'
import { LegacyJsonRpcTransport } from '@a2a-js/sdk/compat/v0_3/client'
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { A2aV1StreamResponse, A2aV03StreamEvent } from '../../../src/dialects/a2a/index.ts'
import type { ToA2aOptions } from '../../../src/dialects/a2a/to/to-a2a.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { collect, jsonRpcFetch, reportEvents } from './peers.ts'
import { closeTexts, errorsOf, runFromA2a, runToA2a, splitStreams, throughJson } from './support.ts'

const ids = { taskId: 'task-9', contextId: 'ctx-9' }

type Settings = Omit<ToA2aOptions<'0.3'>, 'version'>

const settings: readonly Settings[] = [false, true].flatMap((extension) =>
  closeTexts.map((closeText) => ({ extension, closeText })),
)

const inV03 = (events: readonly ContextAnyEvent[], options: Settings): A2aV03StreamEvent[] =>
  runToA2a(events, { version: '0.3', ...options }).out
const inV1 = (events: readonly ContextAnyEvent[], options: Settings): A2aV1StreamResponse[] =>
  runToA2a(events, { version: '1.0', ...options }).out

/** 0.3 has no media type of data parts. */
function withoutMediaTypeOfData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMediaTypeOfData)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => !('data' in value && key === 'mediaType'))
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutMediaTypeOfData(inner)]))
}

/** The translator sets `final` if a task has ended, but not if it requires input. */
function finalAsTranslated(event: A2aV03StreamEvent): A2aV03StreamEvent {
  const isInput = event.kind === 'status-update' && event.status.state === 'input-required'
  return isInput ? { ...event, final: false } : event
}

function finalAsEmitted(event: A2aV03StreamEvent): A2aV03StreamEvent {
  const isInput = event.kind === 'status-update' && event.status.state === 'input-required'
  return isInput ? { ...event, final: true } : event
}

const toV1 = (event: A2aV03StreamEvent): unknown =>
  StreamResponse.toJSON(legacyPushNotificationToV1StreamResponse(structuredClone(event)))
const toV03 = (item: A2aV1StreamResponse): unknown =>
  throughJson(new V03PushNotificationSerializer().serialize(StreamResponse.fromJSON(item)).body)

function expectSame(events: readonly ContextAnyEvent[], options: Settings): void {
  const v03 = inV03(events, options)
  const v1 = inV1(events, options)
  expect(v03.map(toV1).map(withoutMediaTypeOfData)).toEqual(v1.map(withoutMediaTypeOfData))
  expect(v1.map(toV03).map(parsed)).toEqual(v03.map(finalAsTranslated))
}

function parsed(body: unknown): unknown {
  return typeof body === 'string' ? JSON.parse(body) : body
}

describe.each(settings)(
  'the translators of the SDK, extension $extension, text closed by $closeText',
  (options) => {
    it('translate a task with every kind of event in both directions', () => {
      expectSame(reportEvents(ids), options)
    })

    it('translate random tasks in both directions', () => {
      fc.assert(
        fc.property(legalStreams({ subtasks: false }), (events) => expectSame(events, options)),
        { numRuns: runs(60) },
      )
    })
  },
)

describe('a translated stream', () => {
  it('is valid A2A, and maps to the same events', () => {
    const events = reportEvents(ids)
    const translated = inV1(events, { extension: true }).map(toV03).map(parsed) as A2aV03StreamEvent[]
    const [beforeInput = [], afterInput = []] = splitStreams(translated.map(finalAsEmitted))
    expect(errorsOf('0.3', [...beforeInput, ...afterInput])).toEqual([])
    expect(runFromA2a(translated, { extension: true }).out).toEqual(events)
    const back = inV03(events, { extension: true }).map(toV1)
    expect(runFromA2a(back, { extension: true }).out).toEqual(events)
  })

  it('is what a 1.0 client gets from a 0.3 server', async () => {
    const events = reportEvents(ids)
    const [stream = []] = splitStreams(inV03(events, {}))
    const [expected = []] = splitStreams(inV1(events, {}))
    const transport = new LegacyJsonRpcTransport({
      endpoint: 'http://agent.example',
      fetchImpl: jsonRpcFetch(stream),
    })
    const message = { messageId: 'u', role: 'ROLE_USER', parts: [{ text: 'Sales' }] }
    const { SendMessageRequest } = await import('@a2a-js/sdk')
    const items = await collect(transport.sendMessageStream(SendMessageRequest.fromJSON({ message })))
    expect(items.map((item) => StreamResponse.toJSON(item)).map(withoutMediaTypeOfData)).toEqual(
      expected.map(withoutMediaTypeOfData),
    )
  })
})
