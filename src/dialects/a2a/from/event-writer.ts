/** What one item of an A2A stream leads to, while it is being worked out. */

import type { Diagnostic } from '../../../core/machine.ts'
import type { EventDraft } from '../../../emitter/event-draft.ts'
import { isKnownEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { MAX_READ, type ReadArtifact, type ReadTask } from './state.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** An event that lacks its context and, mostly, its time. */
export type Found = EventDraft & { index?: number }

/** One step of `fromA2a` for one task: a copy of what is known to change, and what comes out. */
export class ReadTurn {
  task: Mutable<ReadTask>
  readonly out: ContextAnyEvent[] = []
  readonly diagnostics: Diagnostic[] = []

  constructor(task: ReadTask) {
    this.task = { ...task }
  }

  diagnostic(code: string, message: string, detail?: unknown): void {
    this.diagnostics.push(detail === undefined ? { code, message } : { code, message, detail })
  }

  /** Makes an event. What a peer filled in wrongly is left out rather than passed on. */
  emit(found: Found): void {
    const { id: taskId, contextId, timestamp } = this.task
    const { kind, ...fields } = found
    const event = { kind, contextId, taskId, ...fields, timestamp }
    if (isKnownEvent(event)) {
      this.out.push(event)
      return
    }
    const { metadata: _, ...bare } = event as typeof event & { metadata?: unknown }
    if (isKnownEvent(bare)) {
      this.diagnostic('lossy:metadata', `The metadata is not that of ${kind}.`)
      this.out.push(bare)
    } else {
      this.diagnostic('dropped:update', `What was sent makes no valid ${kind}.`)
    }
  }

  /** Takes over what another turn for the same task found out, but not its events. */
  take({ task, diagnostics }: ReadTurn): void {
    this.task = { ...task }
    this.diagnostics.push(...diagnostics)
  }

  /** The part of an artifact that becomes one thing of ours. */
  find(id: string, ...as: readonly ReadArtifact['as'][]): ReadArtifact | undefined {
    const isIt = (known: ReadArtifact): boolean => known.id === id && as.includes(known.as)
    return this.task.artifacts.find(isIt) ?? this.task.done.find(isIt)
  }

  /** Begins to read (a part of) an artifact. */
  open(id: string, as: ReadArtifact['as']): ReadArtifact {
    const { artifacts, done } = this.task
    const isTaken = (known: ReadArtifact): boolean => known.key === key
    let key = id
    for (let nth = 2; artifacts.some(isTaken) || done.some(isTaken); nth++) key = `${id}/${nth}`
    const opened: ReadArtifact = { id, as, key, next: 0, text: '', from: 0, length: 0, closed: false }
    this.task.artifacts = [...artifacts, opened]
    return opened
  }

  /** Remembers something of an artifact. */
  keep(known: ReadArtifact, changes: Partial<ReadArtifact>): ReadArtifact {
    const next = { ...known, ...changes }
    this.task.kept += next.text.length - known.text.length
    const without = (all: readonly ReadArtifact[]): readonly ReadArtifact[] =>
      all.filter((other) => other.key !== known.key)
    const { artifacts, done } = this.task
    if (known.closed || next.closed) {
      this.task.artifacts = next.closed ? without(artifacts) : [...artifacts, next]
      this.task.done = next.closed ? [...without(done), next] : without(done)
    } else {
      this.task.artifacts = artifacts.map((other) => (other.key === known.key ? next : other))
    }
    return next
  }

  /** The artifact that is the content of the task at present. */
  content(): ReadArtifact | undefined {
    return this.task.artifacts.find((known) => known.as === 'content')
  }

  /** Whether so much is remembered that something has to be let go. */
  isFull(): boolean {
    return this.task.kept > MAX_READ
  }
}
