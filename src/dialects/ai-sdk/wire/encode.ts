/** Encoding: from chunks to the server-sent events that the AI SDK reads. */

import { requireObject } from '../../../core/require.ts'
import type { UiMessageChunk } from './types.ts'

/** The headers of a response with a UI message stream. */
export const uiMessageStreamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  connection: 'keep-alive',
  'x-vercel-ai-ui-message-stream': 'v1',
  'x-accel-buffering': 'no',
}

/** The last message of a stream: `data: [DONE]`. */
export const uiMessageStreamEnd = 'data: [DONE]\n\n'

/**
 * Encodes a chunk as an SSE message. Send {@link uiMessageStreamEnd} after the last one.
 *
 * @throws TypeError if `chunk` is not an object, or if it cannot be represented as JSON, for example because it
 * contains itself.
 *
 * @example
 * ```ts
 * for (const chunk of writer.push(event)) response.write(encodeUiMessageChunk(chunk))
 * ```
 */
export function encodeUiMessageChunk(chunk: UiMessageChunk): string {
  requireObject('chunk', chunk)
  return `data: ${JSON.stringify(chunk)}\n\n`
}
