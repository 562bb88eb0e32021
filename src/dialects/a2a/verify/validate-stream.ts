/** Validation of a whole stream: the order that servers enforce and clients rely on. */

import type { Issue } from '../../../core/decode-result.ts'
import { requireArray } from '../../../core/require.ts'
import { isTerminal, type State, type Update } from '../wire/model.ts'
import { parseItem } from '../wire/parse.ts'
import type { A2aVersion } from '../wire/version.ts'
import { requireVersion } from '../wire/version.ts'
import { isA2aStreamEnd } from './stream-end.ts'
import { validateA2aEvent } from './validate-event.ts'

/**
 * Validates the items of an A2A stream. Returns an empty list if they are valid. Paths start with the index
 * of the item. Each item is checked by {@link validateA2aEvent}; in addition:
 *
 * - the first item is the task, or a message that is the whole stream
 * - the task is sent once, no message follows it, and nothing follows the end of the stream
 * - all items belong to one task in one context
 * - `append` refers to an existing artifact, and an artifact does not change after its last chunk
 * - a task that has started is not submitted again
 * - a message id is not used for a different message
 *
 * The streams of one task may follow each other, for example after an input: each ends with an item for which
 * {@link isA2aStreamEnd} is true, and the next starts with the task. A truncated stream is valid.
 *
 * @throws TypeError if the version is not supported, or `events` is not an array.
 */
export function validateA2aStream(version: A2aVersion, events: readonly unknown[]): Issue[] {
  requireVersion(version)
  requireArray('events', events)
  const issues: Issue[] = []
  const stream = new StreamChecker(issues)
  for (const [i, event] of events.entries()) {
    const found = validateA2aEvent(version, event)
    for (const issue of found) issues.push({ ...issue, path: `/${i}${issue.path}` })
    if (found.length > 0) continue
    const parsed = parseItem(event)
    if (parsed.type === 'update') stream.check(parsed.update, i, isA2aStreamEnd(event))
  }
  return issues
}

const itemNames: Readonly<Record<Update['type'], string>> = {
  task: 'the task',
  status: 'a status update',
  artifact: 'an artifact update',
  message: 'a message',
}

class StreamChecker {
  readonly #issues: Issue[]
  #phase: 'new' | 'open' | 'paused' | 'ended' = 'new'
  #taskId = ''
  #contextId = ''
  #state: State = 'submitted'
  readonly #artifacts = new Map<string, 'open' | 'complete'>()
  readonly #messages = new Map<string, string>()

  constructor(issues: Issue[]) {
    this.#issues = issues
  }

  check(update: Update, at: number, isEnd: boolean): void {
    const report = (message: string, path = ''): void => {
      this.#issues.push({ code: 'invalid-order', path: `/${at}${path}`, message })
    }
    this.#checkOrder(update, report)
    this.#checkIds(update, report)
    if (update.type === 'artifact') this.#checkArtifact(update, report)
    if (update.type === 'task') {
      for (const { artifactId } of update.artifacts) {
        if (!this.#artifacts.has(artifactId)) this.#artifacts.set(artifactId, 'open')
      }
    }
    if ('status' in update) this.#checkStatus(update, report)
    if (!isEnd) this.#phase = 'open'
    else this.#phase = update.type === 'message' || isTerminal(this.#state) ? 'ended' : 'paused'
  }

  #checkOrder(update: Update, report: (message: string) => void): void {
    switch (this.#phase) {
      case 'new':
        if (update.type !== 'task' && update.type !== 'message')
          report(`Expected the task as the first item, got ${itemNames[update.type]}.`)
        break
      case 'open':
        if (update.type === 'task') report('Duplicate task in one stream.')
        if (update.type === 'message') report('A message in the stream of a task.')
        break
      case 'paused':
        if (update.type !== 'task')
          report(`Expected the task as the first item of the next stream, got ${itemNames[update.type]}.`)
        break
      case 'ended':
        report(`Unexpected item after the end of the task: ${itemNames[update.type]}.`)
        break
    }
  }

  #checkIds(update: Update, report: (message: string) => void): void {
    const { taskId, contextId } = update
    if (this.#taskId === '') {
      this.#taskId = taskId
      this.#contextId = contextId
    } else if (taskId !== this.#taskId) report(`Expected task ${this.#taskId}, got ${taskId}.`)
    else if (contextId !== this.#contextId) report(`Expected context ${this.#contextId}, got ${contextId}.`)
  }

  #checkArtifact(update: Update & { type: 'artifact' }, report: (m: string, path?: string) => void): void {
    const { artifactId } = update.artifact
    const known = this.#artifacts.get(artifactId)
    if (known === 'complete') report(`Artifact ${artifactId} changes after its last chunk.`)
    if (known === undefined && update.append) report(`Cannot append to unknown artifact ${artifactId}.`)
    this.#artifacts.set(artifactId, update.last ? 'complete' : 'open')
  }

  #checkStatus({ status }: Update & { type: 'task' | 'status' }, report: (message: string) => void): void {
    const { state, message } = status
    if (state === 'submitted' && this.#state !== 'submitted')
      report(`State submitted after state ${this.#state}.`)
    this.#state = state
    if (message === undefined) return
    const json = JSON.stringify(message)
    const before = this.#messages.get(message.messageId)
    if (before !== undefined && before !== json)
      report(`Message id ${message.messageId} is used for two different messages.`)
    this.#messages.set(message.messageId, json)
  }
}
