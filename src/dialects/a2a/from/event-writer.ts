/** One step of `fromA2a` for one task: the events it emits, its diagnostics, and its next state. */

import type { Mutable } from '../../../core/mutable.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import type { EventDraft } from '../../../emitter/event-draft.ts'
import { isKnownEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { MAX_STORED_LENGTH, type ReceivedArtifact, type ReceivedTask } from './state.ts'

/** An event without its context and, usually, its time. */
export type TaskEventDraft = EventDraft & { index?: number }

/** Emits events of one task. Its state is a copy to assign to; nested values are replaced, not changed. */
export class TaskEventWriter extends StepBuilder<Mutable<ReceivedTask>, ContextAnyEvent> {
  constructor(task: ReceivedTask) {
    super({ ...task })
  }

  /** Completes a draft and emits it. Drops invalid metadata, or the whole event if it is invalid without. */
  emitDraft(draft: TaskEventDraft): void {
    const { id: taskId, contextId, timestamp } = this.state
    const { kind, ...fields } = draft
    const event = { kind, contextId, taskId, ...fields, timestamp }
    if (isKnownEvent(event)) {
      this.emit(event)
      return
    }
    const { metadata: _, ...bare } = event as typeof event & { metadata?: unknown }
    if (isKnownEvent(bare)) {
      this.diagnostic('lossy:metadata', `Dropped the metadata: not valid for ${kind}.`)
      this.emit(bare)
    } else {
      const message = `Dropped an update: it does not map to a valid ${kind}.`
      this.diagnostic('dropped:update', message, { detail: { reason: 'invalid-event', kind } })
    }
  }

  /** Takes over the state and diagnostics of another writer for the same task, but not its events. */
  adoptState({ state, diagnostics }: TaskEventWriter): void {
    this.state = { ...state }
    for (const diagnostic of diagnostics) this.diagnostics.push(diagnostic)
  }

  /** The artifact with the id that is mapped to one of the targets. */
  find(id: string, ...targets: readonly ReceivedArtifact['target'][]): ReceivedArtifact | undefined {
    const matches = (artifact: ReceivedArtifact): boolean =>
      artifact.id === id && targets.includes(artifact.target)
    return this.state.openArtifacts.find(matches) ?? this.state.completeArtifacts.find(matches)
  }

  /** Starts to receive an artifact, or a part of one. */
  open(id: string, target: ReceivedArtifact['target']): ReceivedArtifact {
    const { openArtifacts, completeArtifacts } = this.state
    const isTaken = (artifact: ReceivedArtifact): boolean => artifact.key === key
    let key = id
    for (let nth = 2; openArtifacts.some(isTaken) || completeArtifacts.some(isTaken); nth++) {
      key = `${id}/${nth}`
    }
    const opened: ReceivedArtifact = {
      id,
      target,
      key,
      nextIndex: 0,
      text: '',
      segmentStart: 0,
      length: 0,
      isComplete: false,
    }
    this.state.openArtifacts = [...openArtifacts, opened]
    return opened
  }

  /** Starts to receive text: its `contentId` is its key if another text is open, otherwise none. */
  openText(id: string): ReceivedArtifact {
    const isAlone = this.openContent() === undefined
    const opened = this.open(id, 'content')
    return isAlone ? opened : this.updateArtifact(opened, { contentId: opened.key })
  }

  /** Starts another segment of a text that was complete. */
  reopenText(artifact: ReceivedArtifact): ReceivedArtifact {
    const { contentId: _, ...rest } = artifact
    const isAlone = this.openContent() === undefined
    const next = { ...rest, ...(isAlone ? {} : { contentId: artifact.key }) }
    this.state.completeArtifacts = this.state.completeArtifacts.map((other) =>
      other.key === artifact.key ? next : other,
    )
    return this.updateArtifact(next, {
      isComplete: false,
      segmentStart: artifact.text.length,
      nextIndex: 0,
    })
  }

  /** Stores changes of an artifact. */
  updateArtifact(artifact: ReceivedArtifact, changes: Partial<ReceivedArtifact>): ReceivedArtifact {
    const next = { ...artifact, ...changes }
    this.state.storedLength += next.text.length - artifact.text.length
    const without = (all: readonly ReceivedArtifact[]): readonly ReceivedArtifact[] =>
      all.filter((other) => other.key !== artifact.key)
    const { openArtifacts, completeArtifacts } = this.state
    if (artifact.isComplete || next.isComplete) {
      this.state.openArtifacts = next.isComplete ? without(openArtifacts) : [...openArtifacts, next]
      this.state.completeArtifacts = next.isComplete
        ? [...without(completeArtifacts), next]
        : without(completeArtifacts)
    } else {
      this.state.openArtifacts = openArtifacts.map((other) => (other.key === artifact.key ? next : other))
    }
    return next
  }

  /** An open artifact that is content of the task. */
  openContent(): ReceivedArtifact | undefined {
    return this.state.openArtifacts.find((artifact) => artifact.target === 'content')
  }

  /** Whether more text is stored than allowed. */
  isFull(): boolean {
    return this.state.storedLength > MAX_STORED_LENGTH
  }
}
