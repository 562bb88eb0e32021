// Proves that our types of chunks and messages and those of the AI SDK are assignable, so that code of either takes those
// of the other. The compiler is the test: nothing here runs.

import type { UIMessage, UIMessageChunk } from 'ai'
import type { UIMessageChunk as UIMessageChunk5 } from 'ai-sdk-5'
import type { UIMessageChunk as UIMessageChunk6 } from 'ai-sdk-6'
import type { UiMessage, UiMessageChunk } from 'turnstream/ai-sdk'
import type { UiMessagePart } from '../../../src/dialects/ai-sdk/wire/message.ts'

/** Compiles only if `T` is `true`. */
type Holds<T extends true> = T
type IsAssignable<From, To> = [From] extends [To] ? true : false

/** The types of chunk, besides `data-<name>`. */
type Named<Chunk extends { type: string }> = Exclude<Chunk['type'], `data-${string}`>

// Every chunk that a server of any version sends is one of ours, and ours are those that version 7 reads.
export type Chunks = [
  Holds<IsAssignable<Named<UIMessageChunk>, Named<UiMessageChunk>>>,
  Holds<IsAssignable<Named<UiMessageChunk>, Named<UIMessageChunk>>>,
  Holds<IsAssignable<Named<UIMessageChunk6>, Named<UiMessageChunk>>>,
  Holds<IsAssignable<Named<UIMessageChunk5>, Named<UiMessageChunk>>>,
  Holds<IsAssignable<UIMessageChunk, UiMessageChunk>>,
]

export type Messages = [
  Holds<IsAssignable<UiMessage, UIMessage>>,
  Holds<IsAssignable<UiMessagePart, UIMessage['parts'][number]>>,
]
