/** What the processes of the torture run report. */
import type { ContextAnyEvent } from 'turnstream'
import type { Cursor, View } from 'turnstream/streams'
import type { RedisLogOptions } from '../../../src/redis/options.ts'

export interface WorkerOptions {
  readonly role: 'writer' | 'reader'
  /** Unique for each process. */
  readonly id: string
  readonly client: string
  readonly port: number
  readonly stream: string
  readonly leaseMs: number
  readonly limits: RedisLogOptions['limits']
  /** Where a reader continues, and what it has folded so far. */
  readonly cursor?: Cursor
  readonly view?: View
  readonly isSlow?: boolean
}

export type Report =
  | { readonly type: 'appended'; readonly epoch: string; readonly seq: number; readonly id: string }
  | {
      readonly type: 'batch'
      readonly after: number
      readonly events: readonly { readonly seq: number; readonly id: string }[]
      readonly cursor: Cursor
    }
  | {
      readonly type: 'reset'
      readonly reason: string
      readonly hasSnapshot: boolean
      readonly cursor: Cursor
    }
  /** What a reader that is started again continues from. */
  | { readonly type: 'checkpoint'; readonly cursor: Cursor; readonly view: View }
  | { readonly type: 'end'; readonly view: View }
  | { readonly type: 'rejected'; readonly code: string }
  | { readonly type: 'reconnected' }
  /** An append has not ended by its deadline. */
  | { readonly type: 'late' }
  /** An append was rejected as unavailable, and is repeated. */
  | { readonly type: 'repeated' }
  | { readonly type: 'diagnostic'; readonly text: string }
  | { readonly type: 'failed'; readonly error: string }

/** The id of an append; events that end a task of a stopped writer have none. */
export function idOf(event: ContextAnyEvent): string {
  const { kind, taskId, path } = event as { kind: string; taskId?: string; path?: string[] }
  return (
    (kind === 'content-complete' || 'metadata' in event ? undefined : path?.[0]) ??
    `${kind} of ${taskId} by a reader`
  )
}
