/** The readers of AI SDK 5, 6 and 7: their schemas, and what their pages show. */
import { ok } from 'node:assert/strict'
import * as ai7 from 'ai'
import * as ai5 from 'ai-sdk-5'
import * as ai6 from 'ai-sdk-6'
import type { UiMessageChunk } from '../../../src/dialects/ai-sdk/index.ts'

/** Part of a message, as JSON. */
export type Part = { readonly type: string } & Readonly<Record<string, unknown>>

interface Sdk {
  readonly uiMessageChunkSchema: unknown
  safeValidateUIMessages?(options: { messages: unknown }): Promise<{ success: boolean; error?: unknown }>
  readUIMessageStream(options: {
    stream: ReadableStream<never>
    onError: (error: unknown) => void
    terminateOnError?: boolean
  }): AsyncIterable<unknown>
}

const sdks: Readonly<Record<5 | 6 | 7, Sdk>> = {
  5: ai5 as unknown as Sdk,
  6: ai6 as unknown as Sdk,
  7: ai7 as unknown as Sdk,
}

interface Validator {
  validate(value: unknown): PromiseLike<{ success: boolean; error?: unknown }> | { success: boolean }
}

/** Requires that a version accepts all chunks. */
export async function expectAccepted(version: 5 | 6 | 7, chunks: readonly UiMessageChunk[]): Promise<void> {
  const { uiMessageChunkSchema } = sdks[version]
  const schema = (
    typeof uiMessageChunkSchema === 'function' ? uiMessageChunkSchema() : uiMessageChunkSchema
  ) as Validator
  for (const chunk of chunks) {
    const { success } = await schema.validate(JSON.parse(JSON.stringify(chunk)))
    ok(success, `AI SDK ${version} refuses ${JSON.stringify(chunk)}`)
  }
}

/** What a page shows of a stream: the last message, as JSON, and the errors of the reader. */
export async function readMessage(
  version: 5 | 6 | 7,
  chunks: readonly UiMessageChunk[],
): Promise<{ message: { id: string; metadata?: unknown; parts: Part[] } | undefined; errors: string[] }> {
  const errors: string[] = []
  const stream = new ReadableStream<never>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(JSON.parse(JSON.stringify(chunk)) as never)
      controller.close()
    },
  })
  const onError = (error: unknown): void => {
    errors.push(error instanceof Error ? error.message : String(error))
  }
  let last: unknown
  for await (const message of sdks[version].readUIMessageStream({ stream, onError })) last = message
  const message = last === undefined ? undefined : JSON.parse(JSON.stringify(last))
  return { message, errors }
}

/** Requires that the server of a version takes messages that a page has loaded and sends back. */
export async function expectLoadable(version: 6 | 7, messages: readonly unknown[]): Promise<void> {
  if (messages.length === 0) return
  const copy: unknown = JSON.parse(JSON.stringify(messages))
  const result = await sdks[version].safeValidateUIMessages?.({ messages: copy })
  ok(
    result?.success,
    `AI SDK ${version} refuses ${JSON.stringify(messages)}: ${result?.error}`.slice(0, 4000),
  )
}
