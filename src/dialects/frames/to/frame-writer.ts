/** Collecting the bodies of frames of one stream, while events are said. */

import type { Diagnostic } from '../../../core/machine.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { dropped, lossy } from '../wire/diagnostics.ts'
import type { CarriedFrame } from '../wire/embedded-frame.ts'
import { isTaskEnd } from '../wire/outcome.ts'
import type { FrameV2Body } from '../wire/types.ts'
import type { TargetStream } from './target-stream.ts'

/** How many tools with streamed output are remembered. */
const MAX_TOOLS = 1024

/** What an event is besides what it says: told once for each task, or in every frame. */
const ENVELOPE = ['kind', 'contextId', 'taskId', 'parentTaskId', 'path', 'timestamp', 'frame']

/** Collects the bodies of the frames that one event leads to, and what becomes of the stream. */
export class FrameWriter {
  readonly out: object[] = []
  stream: TargetStream
  readonly #diagnostics: Diagnostic[]

  constructor(stream: TargetStream, diagnostics: Diagnostic[]) {
    this.stream = stream
    this.#diagnostics = diagnostics
  }

  say(body: FrameV2Body): void {
    this.sayAgain(body)
  }

  /** Says a frame an event carries. */
  sayAgain(body: CarriedFrame): void {
    this.out.push(body)
    switch (body.type) {
      case 'output_text_delta':
        this.stream = { ...this.stream, text: 'open' }
        break
      case 'session_ended':
        this.stream = { ...this.stream, phase: 'ended' }
        break
      case 'tool_task_status':
        if (isTaskEnd(String(body.status))) this.stream = { ...this.stream, phase: 'ended' }
        break
      default:
        break
    }
  }

  /** Remembers that a segment of text is over. */
  completeText(): void {
    if (this.stream.text === 'open') this.stream = { ...this.stream, text: 'complete' }
  }

  /** Remembers that output of a tool was streamed. */
  streamed(tool: string): void {
    const { streamed } = this.stream
    if (streamed.includes(tool)) return
    this.stream = { ...this.stream, streamed: [...streamed, tool].slice(-MAX_TOOLS) }
  }

  /** Whether output of a tool was streamed; forgets the tool. */
  endStreamed(tool: string): boolean {
    const { streamed } = this.stream
    if (!streamed.includes(tool)) return false
    this.stream = { ...this.stream, streamed: streamed.filter((other) => other !== tool) }
    return true
  }

  diagnostic(diagnostic: Diagnostic): void {
    this.#diagnostics.push(diagnostic)
  }

  drop(event: ContextAnyEvent, message = 'Frames have no word for it.'): void {
    this.#diagnostics.push(dropped(event.kind, message))
  }

  lose(field: string, message: string, detail?: unknown): void {
    this.#diagnostics.push(lossy(field, message, detail))
  }

  /** Diagnostics the fields of an event, and of its metadata, that are none of those that are said. */
  loseAllBut(event: ContextAnyEvent, fields: readonly string[], metadataKeys: readonly string[] = []): void {
    const message = 'Frames have no word for this field.'
    for (const [field, value] of Object.entries(event)) {
      if (value === undefined || ENVELOPE.includes(field) || fields.includes(field)) continue
      if (field !== 'metadata') this.lose(field, message, value)
      else {
        const keys = Object.entries(value as object).filter(([, inner]) => inner !== undefined)
        const lost = keys.map(([key]) => key).filter((key) => !metadataKeys.includes(key))
        if (lost.length > 0) this.lose('metadata', message, lost)
      }
    }
  }
}
