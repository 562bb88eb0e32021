// Messages are built of chunks as the readers of the AI SDK build them.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toUiMessageStream } from '../../../src/dialects/ai-sdk/index.ts'
import { MessageBuilder } from '../../../src/dialects/ai-sdk/messages/message-builder.ts'
import type { ToUiMessageStreamOptions } from '../../../src/dialects/ai-sdk/to/to-ui-message-stream.ts'
import type { UiMessageChunk } from '../../../src/dialects/ai-sdk/wire/types.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { mapperCasesOf } from '../../support/mapper-cases.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { eventStreams } from './event-streams.ts'
import { type Part, readMessage } from './readers.ts'

/** Whether the input of a call comes twice: one that was refused, and runs all the same, has two parts in readers. */
function repeatsInput(chunks: readonly UiMessageChunk[]): boolean {
  const ids = chunks.flatMap((chunk) => (chunk.type === 'tool-input-available' ? chunk.toolCallId : []))
  return new Set(ids).size < ids.length
}

/** Requires the message of a reader. */
async function expectSame(version: 5 | 6 | 7, chunks: readonly UiMessageChunk[]): Promise<void> {
  if (repeatsInput(chunks)) return
  const builder = new MessageBuilder('t', version)
  for (const chunk of chunks) builder.push(structuredClone(chunk))
  const own = JSON.parse(JSON.stringify(builder.done())) as { metadata?: unknown; parts: Part[] }
  const { message } = await readMessage(version, chunks)
  const theirs = (message?.parts ?? []).map(withoutPartialInput)
  const parts = withoutLastStart(own.parts).map(withoutPartialInput)
  expect(parts).toEqual(withoutLastStart(theirs).map((part, i) => withApprovalOf(own.parts[i], part)))
  expect(own.metadata).toEqual(message?.metadata)
}

/** Readers show a step with its first part. */
function withoutLastStart(parts: readonly Part[]): readonly Part[] {
  return parts.slice(0, 1 + parts.findLastIndex(({ type }) => type !== 'step-start'))
}

/** Parsers of incomplete JSON differ in what they keep of its end. */
function withoutPartialInput(part: Part): Part {
  const { input, ...rest } = part
  return part.state === 'input-streaming' ? (rest as Part) : part
}

/** A part with the approval of ours: stored messages have the answers, which pages know, and only those that servers accept. */
function withApprovalOf(own: Part | undefined, part: Part): Part {
  if (part.approval === undefined) return part
  const { approval, ...rest } = part
  const { approved, reason } = (own?.approval ?? {}) as Readonly<Record<string, unknown>>
  const answer = { ...(approved !== undefined && { approved }), ...(reason !== undefined && { reason }) }
  const isOpen = String(part.state).startsWith('approval-') && String(own?.state).startsWith('approval-')
  return {
    ...rest,
    ...(isOpen && { state: own?.state }),
    ...(own?.approval !== undefined && { approval: { ...(approval as object), ...answer } }),
  } as Part
}

it.each(mapperCasesOf<ToUiMessageStreamOptions>('ai-sdk/to'))(
  'shows $name as readers do, with $options',
  async ({ options, steps }) =>
    expectSame(
      options.version ?? 7,
      (steps as { out: UiMessageChunk[] }[]).flatMap(({ out }) => out),
    ),
)

it.each([5, 6, 7] as const)('shows any stream as readers of version %i do', async (version) => {
  await fc.assert(
    fc.asyncProperty(eventStreams(), fc.boolean(), fc.nat(), async (events, isTyped, cut) => {
      const tools = isTyped ? ['search', 'write'] : []
      const machine = toUiMessageStream({ version, tools, viewer: { audience: 'operator' } })
      const shown: readonly ContextAnyEvent[] = events.slice(0, 1 + (cut % events.length))
      const steps = resultsOf(machine as never, shown, { unfinished: 'keep' } as never)
      await expectSame(
        version,
        steps.flatMap(({ out }) => out as UiMessageChunk[]),
      )
    }),
    { numRuns: runs(100) },
  )
})
