// Proves that an unknown kind of any length has a diagnostic of one line's length.

import { toA2a } from 'turnstream/a2a'
import { fromAgUi, toAgUi } from 'turnstream/ag-ui'
import { fromAgentEvents, toAgentEvents } from 'turnstream/agent-event'
import { fromUiMessageStream, toUiMessageStream } from 'turnstream/ai-sdk'
import { fromFrames, toFrames } from 'turnstream/frames'
import { fromLooopy } from 'turnstream/looopy'
import { fromSessionEvents, toSessionEvents } from 'turnstream/session'
import { expect, it } from 'vitest'
import { resultsOf } from '../support/mapper-laws.ts'

const kind = 'x\n'.repeat(50_000)
const event = { kind, contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }
const typed = { type: kind, timestamp: 1 }

it.each<[name: string, machine: unknown, input: object]>([
  ['toA2a', toA2a({ version: '1.0' }), event],
  ['toAgUi', toAgUi(), event],
  ['toUiMessageStream', toUiMessageStream(), event],
  ['toFrames', toFrames({ version: 'v2', sessionId: 's', newId: () => 'i' }), event],
  ['toSessionEvents', toSessionEvents(), event],
  ['toAgentEvents', toAgentEvents(), event],
  ['fromAgUi', fromAgUi({ now: () => 0 }), typed],
  ['fromUiMessageStream', fromUiMessageStream({ now: () => 0 }), typed],
  ['fromFrames', fromFrames(), { ...typed, id: 'i', session_id: 's', seq: 0, timestamp_ms: 1 }],
  ['fromSessionEvents', fromSessionEvents(), { ...typed, id: 'i', session_id: 's', event: kind }],
  ['fromAgentEvents', fromAgentEvents(), typed],
  ['fromLooopy', fromLooopy(), event],
])('%s', (_, machine, input) => {
  const [{ diagnostics } = { diagnostics: [] }] = resultsOf(machine as never, [input] as never[])
  for (const { code, message } of diagnostics) {
    expect(code.length).toBeLessThan(200)
    expect(message.length).toBeLessThan(1000)
  }
})
