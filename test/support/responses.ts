/** Recordings of responses that follow each other. */
import { readRecording } from './recordings.ts'

/** Recordings of one response, and the ids that tell it from another one. */
export const responses: Readonly<Record<string, RegExp | undefined>> = {
  'ai-sdk.sse': /"tides"/g,
  'openai-chat.sse': /"chatcmpl-1"/g,
  'openai-responses.jsonl': /"resp_1"/g,
  'anthropic.sse': /"(?:msg|toolu)_1"/g,
  'gemini.sse': /"r-1"/g,
  'gemini-interactions.jsonl': /"i-1"/g,
  'bedrock.jsonl': undefined,
  'cohere.sse': /"(?:c-1|tide_table_1)"/g,
}

export const textOf = (file: string): string => new TextDecoder('utf-8').decode(readRecording(file)).trimEnd()

/** One response after the other, each with ids of its own. */
export function repeated(file: string, times: number): string {
  const ids = responses[file]
  return Array.from({ length: times }, (_, i) =>
    ids === undefined || i === 0
      ? textOf(file)
      : textOf(file).replace(ids, (id) => `"other-${i}-${id.slice(1)}`),
  ).join('\n\n')
}
