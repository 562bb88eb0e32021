/** The checks of one item of a stream. */

import { type BoundedMap, boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import type { Step } from '../../../core/machine.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { FNV_OFFSET_BASIS, fnv1a } from '../../../encoding/fnv1a.ts'
import { expectEqual, reportUnexpected } from '../../../rules/expect.ts'
import { type Lifecycle, phaseAfter } from '../../../rules/lifecycle.ts'
import type { VerifyMode } from '../../../rules/rule.ts'
import { ViolationReporter, valuesOf } from '../../../rules/violation.ts'
import type { Fields } from '../../../validation/predicates.ts'
import { isTerminal } from '../wire/model.ts'
import type { A2aVersion } from '../wire/version.ts'
import { type Item, stateIn } from './item.ts'
import { type A2aRuleName, type A2aViolation, ruleMeta } from './rules.ts'
import { isA2aStreamEnd } from './stream-end.ts'
import type { StreamState } from './stream-state.ts'

/** In which phases of a stream an item may come. */
const order: Lifecycle<Item['type'], StreamState['phase'], A2aRuleName> = {
  phases: ['new', 'joined', 'open', 'paused', 'ended'],
  events: {
    task: ['open', 'open', 'second-task', 'open', 'after-end'],
    message: ['open', 'open', 'message-beside-task', 'message-beside-task', 'after-end'],
    status: ['task-not-first', 'open', 'open', 'resumed-without-task', 'after-end'],
    artifact: ['task-not-first', 'open', 'open', 'resumed-without-task', 'after-end'],
  },
}

/** What is expected where a rule of the order is broken. */
const expectedOrder: Partial<Record<A2aRuleName, string>> = {
  'after-end': 'nothing after the end',
  'task-not-first': 'the task as the first item',
  'resumed-without-task': 'the task as the first item after an input',
  'message-beside-task': 'items of the task',
  'second-task': 'the task once in a stream',
}

const itemNames: Readonly<Record<Item['type'], string>> = {
  task: 'the task',
  status: 'a status update',
  artifact: 'an artifact update',
  message: 'a message',
}

/** Checks one item. Its state is a copy to assign to; nested values are replaced, not changed. */
export class StreamChecker extends ViolationReporter<A2aRuleName> {
  readonly state: Mutable<StreamState>
  readonly #version: A2aVersion
  readonly #input: unknown

  /** @param item - The item if it is valid. */
  constructor(
    state: StreamState,
    version: A2aVersion,
    mode: VerifyMode,
    item: Item | undefined,
    input: unknown,
  ) {
    const { contextId, taskId } = item ?? {}
    const place = {
      eventIndex: state.nextIndex,
      ...(contextId !== undefined && { contextId }),
      ...(taskId !== undefined && { taskId }),
    }
    super(ruleMeta, mode, place, valuesOf(input))
    this.state = { ...state }
    this.#version = version
    this.#input = input
  }

  /** The step to the state after the item. */
  done(): Step<StreamState, A2aViolation> {
    this.state.nextIndex++
    return this.stepTo(this.state)
  }

  check(item: Item): void {
    const { type, value, path } = item
    const { phase } = this.state
    phaseAfter(order, type, phase, (rule) => this.#reportOrder(rule, type))
    if (phase === 'ended') return
    this.#checkIds(item)
    if (type === 'artifact') this.#checkArtifact(value, path)
    if (type === 'task') this.#addArtifacts(value)
    if (type === 'message') this.#checkMessage(value, path)
    else if (type !== 'artifact') this.#checkStatus(value.status as Fields, `${path}/status`)
    this.#advance(item)
  }

  #reportOrder(rule: A2aRuleName, type: Item['type']): void {
    const { taskIndex, phaseIndex } = this.state
    // 0.3 states no order, and a stream that was joined late may have had no task.
    if (this.#version === '0.3' && (rule === 'task-not-first' || rule === 'resumed-without-task')) return
    if (rule === 'second-task' && taskIndex === null) return
    const relatedEventIndex = rule === 'second-task' ? taskIndex : rule === 'after-end' ? phaseIndex : null
    const message = `Expected ${expectedOrder[rule]}, got ${itemNames[type]}.`
    this.report(rule, message, relatedEventIndex === null ? {} : { relatedEventIndex })
  }

  #checkIds({ type, path, taskId, contextId }: Item): void {
    const { state } = this
    const idPath = `${path}/${type === 'task' ? 'id' : 'taskId'}`
    const isSameTask = taskId === undefined || state.taskId === null || taskId === state.taskId
    if (!isSameTask) expectEqual(this, 'other-task', idPath, state.taskId, taskId)
    else if (contextId !== undefined && state.contextId !== null) {
      expectEqual(this, 'other-context', `${path}/contextId`, state.contextId, contextId)
    }
    state.taskId ??= taskId ?? null
    state.contextId ??= contextId ?? null
  }

  #checkArtifact({ artifact, append, lastChunk }: Fields, path: string): void {
    const { artifactId } = artifact as { artifactId: string }
    const known = boundedGet(this.state.artifacts, artifactId)
    if (append === true && known === undefined && !this.state.isPartial) {
      const message = `Expected a first chunk of artifact ${artifactId}, got one to append.`
      this.report('append-to-unknown', message, { path: `${path}/append`, expected: false })
    } else if (append === true && known !== undefined && known.lastIndex !== null) {
      const message = `Expected nothing after the last chunk of artifact ${artifactId}, got more.`
      const relatedEventIndex = known.lastIndex
      this.report('append-after-last', message, { path: `${path}/append`, relatedEventIndex })
    }
    this.#set('artifacts', artifactId, { lastIndex: lastChunk === true ? this.state.nextIndex : null })
  }

  #addArtifacts({ artifacts }: Fields): void {
    for (const { artifactId } of (artifacts ?? []) as { artifactId: string }[]) {
      const isKnown = boundedGet(this.state.artifacts, artifactId) !== undefined
      if (!isKnown) this.#set('artifacts', artifactId, { lastIndex: null })
    }
  }

  #checkStatus(status: Fields, path: string): void {
    const state = stateIn(status)
    const before = this.state.state
    if (state === 'submitted' && before !== null && before !== 'submitted') {
      const expected = `a later state than submitted after ${before}`
      reportUnexpected(this, 'submitted-again', `${path}/state`, expected, state)
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
      const related = { relatedEventIndex: before.index }
      const expected = 'another id for another message'
      reportUnexpected(this, 'message-id-reused', `${path}/messageId`, expected, id, related)
    }
    this.#set('messages', id, { hash, index: before?.index ?? this.state.nextIndex })
  }

  #set<T>(name: 'artifacts' | 'messages', key: string, value: T): void {
    const state = this.state as Record<typeof name, BoundedMap<unknown>>
    if (this.store(state, name, key, value)) this.state.isPartial = true
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
