/** Recordings of each dialect: the same answer about the tide, as each protocol writes it. */
import { readFileSync } from 'node:fs'
import type { Dialect } from '../../src/inspect/index.ts'

/** File → dialect. */
export const recordings: Readonly<Record<string, Dialect>> = {
  'core.sse': 'core',
  'a2a.sse': 'a2a',
  'a2a-0.3.jsonl': 'a2a',
  'ag-ui.sse': 'ag-ui',
  'ai-sdk.sse': 'ai-sdk',
  'openai-chat.sse': 'openai-chat',
  'openai-responses.jsonl': 'openai-responses',
  'anthropic.sse': 'anthropic',
  'gemini.sse': 'gemini',
  'gemini-interactions.jsonl': 'gemini',
  'bedrock.jsonl': 'bedrock',
  'bedrock.eventstream': 'bedrock',
  'cohere.sse': 'cohere',
  'frames.jsonl': 'frames',
  'agent-event.jsonl': 'agent-event',
  'session.jsonl': 'session',
}

/** Where a recording is, relative to the folder of the package. */
export const recordingPath = (file: string): string => `test/fixtures/recordings/${file}`

export const readRecording = (file: string): Uint8Array => readFileSync(recordingPath(file))
