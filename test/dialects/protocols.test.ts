// Proves that protocols answer any body: never with 500, and never not at all.
import fc from 'fast-check'
import { a2a } from 'turnstream/a2a'
import { agUi } from 'turnstream/ag-ui'
import { aiSdk } from 'turnstream/ai-sdk'
import { chatCompletions } from 'turnstream/openai'
import type { Protocol } from 'turnstream/server'
import { describe, expect, it } from 'vitest'
import { handled, root } from '../support/protocols.ts'
import { runs } from '../support/runs.ts'

const protocols: Readonly<Record<string, Protocol>> = {
  a2a: a2a({ card: {} }),
  'ag-ui': agUi(),
  'ai-sdk': aiSdk(),
  openai: chatCompletions(),
}

/** Keys and values of requests, so that some get far. */
const words = [
  ...['id', 'messages', 'role', 'user', 'assistant', 'tool', 'content', 'parts', 'type', 'text', 'trigger'],
  ...['dynamic-tool', 'approval-responded', 'approval', 'approved', 'toolCallId', 'tool_call_id', 'state'],
  ...['regenerate-message', 'metadata', 'conversation', 'stream', 'stream_options', 'model', 'main'],
  ...['threadId', 'runId', 'resume', 'interruptId', 'status', 'resolved', 'payload', 'tools', 'context'],
  ...[
    'jsonrpc',
    '2.0',
    'method',
    'params',
    'message',
    'messageId',
    'taskId',
    'contextId',
    'kind',
    'tasks/get',
  ],
  ...[
    'message/send',
    'message/stream',
    'tasks/cancel',
    'tasks/resubscribe',
    'SendMessage',
    'GetTask',
    'input',
  ],
]
const word = fc.constantFrom(...words)
const { body } = fc.letrec((tie) => ({
  body: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word,
    fc.constantFrom(null, true, false, 0, 1, ''),
    fc.array(tie('body'), { maxLength: 3 }),
    fc.dictionary(word, tie('body'), { maxKeys: 6 }),
  ),
}))

describe.each(Object.keys(protocols))('%s', (name) => {
  it('answers any body', async () => {
    const agent = async function* () {
      yield { kind: 'content-complete', content: 'Done.' } as const
    }
    const { fetchAs, errors } = handled({ agent, protocols })
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          body.map((value) => JSON.stringify(value)),
          fc.string(),
        ),
        async (text) => {
          const headers = { 'content-type': 'application/json' }
          const response = await fetchAs('ann')(`${root}/${name}`, { method: 'POST', headers, body: text })
          await response.text()
          expect(response.status).toBeLessThan(500)
        },
      ),
      { numRuns: runs(300) },
    )
    expect(errors).toEqual([])
  })
})
