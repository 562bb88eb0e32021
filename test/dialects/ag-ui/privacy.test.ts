// Who may see an event, and the signatures of providers, are not sent to clients.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agUiMessages, toAgUi } from '../../../src/dialects/ag-ui/index.ts'
import { type ContextAnyEvent, eventKinds } from '../../../src/index.ts'
import { emptyView, foldEvents } from '../../../src/streams/index.ts'
import { exampleOf } from '../../support/examples.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { outputsOf, writer } from './support.ts'

const LABEL = 'canary-label'
const SIGNATURE = 'canary-signature'

function marked(event: ContextAnyEvent): ContextAnyEvent {
  const { metadata } = event as { metadata?: object }
  const added = { audience: ['user', 'operator', LABEL], signature: SIGNATURE }
  return { ...event, metadata: { ...metadata, ...added } } as ContextAnyEvent
}

/** Streams of events of all kinds, each with a label and a signature. */
const markedStreams = legalStreams().map((events) => events.map(marked))

describe('the label of the audience', () => {
  it.each(['user', 'operator'] as const)('is not sent to an %s', (audience) => {
    fc.assert(
      fc.property(markedStreams, (events) => {
        const text = JSON.stringify(outputsOf(writer({ viewer: { audience, subtasks: 'all' } }), events))
        expect(text).not.toContain(LABEL)
        expect(text).not.toContain('"audience"')
      }),
      { numRuns: runs(200) },
    )
  })

  it.each(eventKinds)('of %s is reported if it is lost', (kind) => {
    const event = marked({ ...exampleOf(kind), taskId: 't' })
    const { diagnostics = [] } = toAgUi({ viewer: { audience: 'operator' } }).step(toAgUi().initial, event)
    const isReported = diagnostics.some(
      ({ code, path }) => code.startsWith('dropped:') || path === '/metadata/audience',
    )
    expect(isReported).toBe(true)
  })
})

describe('the signature of a provider', () => {
  it('is not sent to a user', () => {
    fc.assert(
      fc.property(markedStreams, (events) => {
        const viewer = { audience: 'user', subtasks: 'all' } as const
        expect(JSON.stringify(outputsOf(writer({ viewer }), events))).not.toContain(SIGNATURE)
        const messages = JSON.stringify(agUiMessages(foldEvents(emptyView, events)))
        expect(messages).not.toContain(LABEL)
        expect(messages).not.toContain(SIGNATURE)
      }),
      { numRuns: runs(200) },
    )
  })

  it('is sent to an operator as an encrypted value alone', () => {
    fc.assert(
      fc.property(markedStreams, (events) => {
        for (const event of outputsOf(writer(), events)) {
          if (event.type !== 'REASONING_ENCRYPTED_VALUE')
            expect(JSON.stringify(event)).not.toContain(SIGNATURE)
        }
      }),
      { numRuns: runs(200) },
    )
  })
})
