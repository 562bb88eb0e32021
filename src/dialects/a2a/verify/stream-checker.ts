/** The checks of one item of a stream. */

import { boundedGet, boundedSet } from '../../../core/bounded-map/bounded-map.ts'
import type { Step } from '../../../core/machine.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import { FNV_OFFSET_BASIS, fnv1a } from '../../../encoding/fnv1a.ts'
import type { VerifyMode } from '../../../rules/rule.ts'
import { ViolationReporter } from '../../../rules/violation.ts'
import type { Fields } from '../../../validation/predicates.ts'
import { isTerminal } from '../wire/model.ts'
import type { A2aVersion } from '../wire/version.ts'
import { type Item, stateIn } from './item.ts'
import { type A2aRuleName, type A2aViolation, ruleMeta } from './rules.ts'
import { isA2aStreamEnd } from './stream-end.ts'
import type { SeenMessage, StreamState } from './stream-state.ts'

const itemNames: Readonly<Record<Item['type'], string>> = {
  task: 'the task',
  status: 'a status update',
  artifact: 'an artifact update',
  message: 'a message',
}

/** Checks one item. Its state is a copy to assign to; nested values are replaced, not changed. */
export class StreamChecker extends StepBuilder<Mutable<StreamState>, A2aViolation> {
  readonly reporter: ViolationReporter<A2aRuleName>
  readonly #version: A2aVersion
  readonly #item: Item | undefined
  readonly #input: unknown

  /** @param item - The item if it is valid. */
  constructor(
    state: StreamState,
    version: A2aVersion,
    mode: VerifyMode,
    item: Item | undefined,
    input: unknown,
  ) {
    super({ ...state })
    this.#version = version
    this.#item = item
    this.#input = input
    const { contextId, taskId } = item ?? {}
    const place = {
      eventIndex: state.nextIndex,
      ...(contextId !== undefined && { contextId }),
      ...(taskId !== undefined && { taskId }),
    }
    this.reporter = new ViolationReporter(ruleMeta, mode, place, input)
  }

  check(): Step<StreamState, A2aViolation> {
    const item = this.#item
    if (item === undefined) return this.done()
    const { type, value, path } = item
    if (this.state.phase === 'ended') {
      const message = `Expected nothing after the end, got ${itemNames[type]}.`
      this.reporter.report('after-end', message, { relatedEventIndex: this.state.phaseIndex })
      return this.done()
    }
    this.#checkOrder(item)
    this.#checkIds(item)
    if (type === 'artifact') this.#checkArtifact(value, path)
    if (type === 'task') this.#addArtifacts(value)
    if (type === 'message') this.#checkMessage(value, path)
    else if (type !== 'artifact') this.#checkStatus(value.status as Fields, `${path}/status`)
    this.#advance(item)
    return this.done()
  }

  override done(): Step<Mutable<StreamState>, A2aViolation> {
    this.emit(...this.reporter.violations)
    this.state.nextIndex++
    return super.done()
  }

  #checkOrder({ type }: Item): void {
    const { phase, taskIndex } = this.state
    const name = itemNames[type]
    switch (phase) {
      case 'new':
      case 'paused':
        if (type === 'message' && phase === 'paused') this.#reportMessage()
        // 0.3 states no order.
        else if (type !== 'task' && type !== 'message' && this.#version === '1.0') {
          if (phase === 'new')
            this.reporter.report('task-not-first', `Expected the task as the first item, got ${name}.`)
          else {
            const message = `Expected the task as the first item after an input, got ${name}.`
            this.reporter.report('resumed-without-task', message)
          }
        }
        break
      case 'open':
        if (type === 'task' && taskIndex !== null) {
          this.reporter.report('second-task', 'Expected the task once in a stream, got it again.', {
            relatedEventIndex: taskIndex,
          })
        } else if (type === 'message') this.#reportMessage()
        break
      default:
        break
    }
  }

  #reportMessage(): void {
    this.reporter.report('message-beside-task', 'Expected items of the task, got a message.')
  }

  #checkIds({ type, path, taskId, contextId }: Item): void {
    const { state } = this
    const name = type === 'task' ? 'id' : 'taskId'
    if (taskId !== undefined && state.taskId !== null && taskId !== state.taskId) {
      const message = `Expected task ${state.taskId}, got ${taskId}.`
      this.reporter.report('other-task', message, { path: `${path}/${name}`, expected: state.taskId })
    } else if (contextId !== undefined && state.contextId !== null && contextId !== state.contextId) {
      const message = `Expected context ${state.contextId}, got ${contextId}.`
      this.reporter.report('other-context', message, { path: `${path}/contextId`, expected: state.contextId })
    }
    state.taskId ??= taskId ?? null
    state.contextId ??= contextId ?? null
  }

  #checkArtifact({ artifact, append, lastChunk }: Fields, path: string): void {
    const { artifactId } = artifact as { artifactId: string }
    const known = boundedGet(this.state.artifacts, artifactId)
    if (append === true && known === undefined && !this.state.isPartial) {
      const message = `Expected a first chunk of artifact ${artifactId}, got one to append.`
      this.reporter.report('append-to-unknown', message, { path: `${path}/append`, expected: false })
    } else if (append === true && known !== undefined && known.lastIndex !== null) {
      const message = `Expected nothing after the last chunk of artifact ${artifactId}, got more.`
      const relatedEventIndex = known.lastIndex
      this.reporter.report('append-after-last', message, { path: `${path}/append`, relatedEventIndex })
    }
    this.#setArtifact(artifactId, lastChunk === true ? this.state.nextIndex : null)
  }

  #addArtifacts({ artifacts }: Fields): void {
    for (const { artifactId } of (artifacts ?? []) as { artifactId: string }[]) {
      if (boundedGet(this.state.artifacts, artifactId) === undefined) this.#setArtifact(artifactId, null)
    }
  }

  #setArtifact(artifactId: string, lastIndex: number | null): void {
    const { map, hasEvicted } = boundedSet(this.state.artifacts, artifactId, { lastIndex })
    this.state.artifacts = map
    if (hasEvicted) this.#evicted('artifacts')
  }

  #checkStatus(status: Fields, path: string): void {
    const state = stateIn(status)
    const before = this.state.state
    if (state === 'submitted' && before !== null && before !== 'submitted') {
      const message = `Expected a later state than submitted after ${before}, got submitted.`
      this.reporter.report('submitted-again', message, { path: `${path}/state` })
    }
    this.state.state = state
    if (status.message !== undefined) this.#checkMessage(status.message as Fields, `${path}/message`)
  }

  #checkMessage(message: Fields, path: string): void {
    const id = String(message.messageId)
    const json = JSON.stringify(message)
    const hash = `${json.length}:${fnv1a(FNV_OFFSET_BASIS, json)}`
    const before = boundedGet(this.state.messages, id)
    if (before !== undefined && before.hash !== hash) {
      this.reporter.report('message-id-reused', `Expected another id for another message, got ${id} again.`, {
        path: `${path}/messageId`,
        relatedEventIndex: before.index,
      })
    }
    const seen: SeenMessage = { hash, index: before?.index ?? this.state.nextIndex }
    const { map, hasEvicted } = boundedSet(this.state.messages, id, seen)
    this.state.messages = map
    if (hasEvicted) this.#evicted('messages')
  }

  #evicted(what: 'artifacts' | 'messages'): void {
    this.state.isPartial = true
    this.diagnostic('state-evicted', `Too many ${what}: evicted the least recently used.`)
  }

  #advance({ type }: Item): void {
    const { state } = this
    const { phase, nextIndex } = state
    // A task after an input, or a first item, begins a stream.
    if (phase !== 'open') state.taskIndex = null
    if (type === 'task') state.taskIndex = nextIndex
    const isEnd = isA2aStreamEnd(this.#input)
    const isOver = type === 'message' || (state.state !== null && isTerminal(state.state))
    const next = !isEnd ? 'open' : isOver ? 'ended' : 'paused'
    if (next === phase) return
    state.phase = next
    state.phaseIndex = nextIndex
  }
}
