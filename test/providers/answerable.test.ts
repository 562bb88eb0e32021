// Proves that the calls of a turn are those of its content, so that the next request can answer each of them.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readStream } from '../support/providers/agent-loop.ts'
import { mutationsOf } from '../support/providers/mutations.ts'
import { allReaders, recordedChunks } from '../support/providers/readers.ts'
import { runs } from '../support/runs.ts'

type Block = Record<string, unknown>
const messageIds = (content: Block[]): unknown[] =>
  content.flatMap(({ tool_calls = [] }) => (tool_calls as Block[]).map(({ id }) => id))

const itemIds = (content: Block[]): unknown[] =>
  content
    .filter(({ type, execution }) => type !== 'tool_search_call' || execution === 'client')
    .flatMap(({ type, call_id }) => (CLIENT_ITEM.test(String(type)) ? [call_id] : []))
const CLIENT_ITEM = /^(function|custom_tool|tool_search|computer|local_shell|shell|apply_patch)_call$/

/** The ids of the calls in the content, by reader. */
const idsIn: Readonly<Record<string, (content: Block[]) => unknown[]>> = {
  openai: messageIds,
  cohere: messageIds,
  responses: itemIds,
  anthropic: (content) => content.filter(({ type }) => type === 'tool_use').map(({ id }) => id),
  bedrock: (content) =>
    content.flatMap(({ toolUse }) => {
      const { toolUseId, type } = (toolUse ?? { type: 'server_tool_use' }) as Block
      return type === 'server_tool_use' ? [] : [toolUseId]
    }),
  gemini: (content) =>
    content.flatMap(({ functionCall }) => (functionCall == null ? [] : [(functionCall as Block).id])),
  interactions: (content) => content.filter(({ type }) => type === 'function_call').map(({ id }) => id),
}

/** Names under which providers send the ids of calls. */
const ID = /^(id|call_id|toolUseId)$/

/** Removes the ids from chunks, or makes them equal. */
const withIds = (chunks: readonly unknown[], next: string | undefined): unknown[] =>
  JSON.parse(JSON.stringify(chunks, (name, value) => (ID.test(name) ? next : value)))

describe.each(allReaders.filter(([name]) => name !== 'ollama'))('the calls of %s', (name, create, any) => {
  const recorded = recordedChunks(name)
  const idsOf = idsIn[name] as (content: Block[]) => unknown[]
  // Without the outputs of calls that the provider ran after all.
  const chunk = any.filter((value) => !JSON.stringify(value).includes('_call_output'))

  const expectAnswerable = (chunks: readonly unknown[]): void => {
    const { turn } = readStream(create(), chunks)
    const ids = turn.calls.map(({ toolCallId }) => toolCallId)
    expect([...idsOf(turn.content)].sort()).toEqual([...ids].sort())
    expect(new Set(ids).size).toBe(ids.length)
    expect(turn.calls.every(({ toolName, toolCallId }) => toolName !== '' && toolCallId !== '')).toBe(true)
  }

  it('are those of the content, whatever the stream is', () => {
    fc.assert(fc.property(fc.array(chunk, { maxLength: 24 }), expectAnswerable), { numRuns: runs(400) })
  })

  it.each([undefined, '', 'same'])('are those of the content of a recording with the ids %o', (id) => {
    expectAnswerable(withIds(recorded, id))
    fc.assert(
      fc.property(mutationsOf(recorded), (faulty) => {
        expectAnswerable(faulty)
        expectAnswerable(withIds(faulty, id))
      }),
      { numRuns: runs(60) },
    )
  })
})
