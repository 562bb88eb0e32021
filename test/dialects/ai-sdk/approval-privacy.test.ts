// Proves that what a request of the AI SDK carries of its call is hidden with what the call has.
import { type ContextAnyEvent, run } from 'turnstream'
import { fromUiMessageStream } from 'turnstream/ai-sdk'
import { project } from 'turnstream/streams'
import { expect, it } from 'vitest'

const { push } = run(fromUiMessageStream({ now: () => 0 }))
const events: readonly ContextAnyEvent[] = [
  { type: 'start', messageId: 'm' },
  {
    type: 'tool-input-available',
    toolCallId: 'k',
    toolName: 'pay',
    input: { card: 'SECRET' },
    providerMetadata: {
      anthropic: { signature: 'SIGNED' },
      google: { thoughtSignature: 'SIGNED', own: 'shown' },
      openai: { reasoningEncryptedContent: 'SIGNED' },
    },
  },
  {
    type: 'tool-approval-request',
    approvalId: 'p',
    toolCallId: 'k',
    inputSchemaInput: { card: 'SECRET' },
    approvalDescriptor: { card: 'SECRET' },
  },
].flatMap((chunk) => [...push(chunk as never)])

it.each(['user', 'coordinator', 'parent', 'observer'] as const)(
  'a %s gets no signature of the call',
  (audience) => {
    const seen = JSON.stringify(events.map((event) => project(event, { audience })))
    expect(seen).not.toContain('SIGNED')
    if (audience === 'user') expect(seen).toContain('shown')
  },
)

it('arguments that are removed are removed from what the page shows of them', () => {
  const viewer = { audience: 'user', removed: { 'tool-start': ['/arguments'] } } as const
  expect(JSON.stringify(events.map((event) => project(event, viewer)))).not.toContain('SECRET')
})
