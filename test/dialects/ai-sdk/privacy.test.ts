// What is for operators only reaches no page.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toUiMessageStream, uiMessages } from '../../../src/dialects/ai-sdk/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { emptyView, foldEvents } from '../../../src/streams/index.ts'
import { withLabels } from '../../support/legal-streams/labels.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { eventStreams } from './event-streams.ts'

const CANARY = 'canary-signature'

/** The events with a signature in the metadata of each. */
function signed(events: readonly ContextAnyEvent[]): ContextAnyEvent[] {
  return events.map((event) => {
    const { metadata } = event as { metadata?: object }
    return { ...event, metadata: { ...metadata, signature: CANARY } } as unknown as ContextAnyEvent
  })
}

const labels = fc.array(
  fc.constantFrom(undefined, ['user', 'operator'], ['user', 'coordinator', 'observer'], ['operator']),
  { minLength: 1, maxLength: 8 },
)
const streams = fc.tuple(eventStreams(), labels).map(([events, labels]) => withLabels(signed(events), labels))

describe.each([5, 6, 7] as const)('in version %i', (version) => {
  it('chunks and messages have no audience, and no signature', () => {
    fc.assert(
      fc.property(streams, (events) => {
        const chunks = resultsOf(toUiMessageStream({ version }) as never, events).flatMap(({ out }) => out)
        const messages = uiMessages(foldEvents(emptyView, events), { version })
        for (const text of [JSON.stringify(chunks), JSON.stringify(messages)]) {
          expect(text).not.toContain(CANARY)
          expect(text).not.toContain('"audience"')
        }
      }),
      { numRuns: runs(200) },
    )
  })

  it('the extension has no signature either, but the labels, for those who project it again', () => {
    fc.assert(
      fc.property(streams, (events) => {
        const machine = toUiMessageStream({ version, extension: true })
        const text = JSON.stringify(resultsOf(machine as never, events).map(({ out }) => out))
        expect(text).not.toContain(CANARY)
      }),
      { numRuns: runs(100) },
    )
  })

  it('messages have nothing that is labelled for others', () => {
    const secret = 'canary-input'
    const created = {
      kind: 'task-created',
      contextId: 'c',
      taskId: 't',
      timestamp: '2026-01-31T10:30:00Z',
      initiator: 'user',
      metadata: { input: secret, audience: ['operator'] },
    } as const
    const view = foldEvents(emptyView, [created as unknown as ContextAnyEvent])
    expect(JSON.stringify(uiMessages(view, { version }))).not.toContain(secret)
    expect(JSON.stringify(uiMessages(view, { version, viewer: { audience: 'operator' } }))).toContain(secret)
  })
})
