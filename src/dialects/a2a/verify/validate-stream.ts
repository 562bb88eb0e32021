/** Whether items make an A2A stream: the order that servers enforce and clients rely on. */
import type { Issue } from '../../../core/decoded.ts'
import { isTerminal, type State, type Update } from '../wire/model.ts'
import { readUpdate } from '../wire/parse.ts'
import type { A2aVersion } from '../wire/version.ts'
import { isA2aStreamEnd } from './stream-end.ts'
import { validateA2aEvent } from './validate-event.ts'

/**
 * What is wrong with the items of an A2A stream; empty when nothing is. Paths begin with the number
 * of the item. Items are checked by {@link validateA2aEvent}, and then:
 *
 * - the first is the task, or a message that is all there is
 * - the task comes once, no message comes after it, and nothing after the stream's end
 * - everything is of one task in one context
 * - `append` adds to an artifact that exists, and nothing touches one after its last chunk
 * - a task that has begun is not submitted again
 * - a message id is not used for another message
 *
 * Several streams of one task may follow each other, as after an input: each ends as
 * {@link isA2aStreamEnd} says, and the next begins with the task. A stream that breaks off is no
 * issue.
 */
export function validateA2aStream(version: A2aVersion, events: readonly unknown[]): Issue[] {
  const issues: Issue[] = []
  const stream = new StreamCheck(issues)
  for (const [i, event] of events.entries()) {
    const found = validateA2aEvent(version, event)
    issues.push(...found.map((issue) => ({ ...issue, path: `/${i}${issue.path}` })))
    if (found.length > 0) continue
    const reading = readUpdate(event)
    if (reading.type === 'update') stream.take(reading.update, i, isA2aStreamEnd(event))
  }
  return issues
}

class StreamCheck {
  readonly #issues: Issue[]
  #phase: 'begin' | 'open' | 'between' | 'over' = 'begin'
  #taskId = ''
  #contextId = ''
  #state: State = 'submitted'
  readonly #artifacts = new Map<string, 'open' | 'sealed'>()
  readonly #messages = new Map<string, string>()

  constructor(issues: Issue[]) {
    this.#issues = issues
  }

  take(update: Update, at: number, isEnd: boolean): void {
    const complain = (message: string, path = ''): void => {
      this.#issues.push({ code: 'invalid-order', path: `/${at}${path}`, message })
    }
    this.#checkPlace(update, complain)
    this.#checkIds(update, complain)
    if (update.type === 'artifact') this.#checkArtifact(update, complain)
    if (update.type === 'task') {
      for (const { artifactId } of update.artifacts) {
        if (!this.#artifacts.has(artifactId)) this.#artifacts.set(artifactId, 'open')
      }
    }
    if ('status' in update) this.#checkStatus(update, complain)
    if (!isEnd) this.#phase = 'open'
    else this.#phase = update.type === 'message' || isTerminal(this.#state) ? 'over' : 'between'
  }

  #checkPlace(update: Update, complain: (message: string) => void): void {
    switch (this.#phase) {
      case 'begin':
        if (update.type !== 'task' && update.type !== 'message') complain('A stream begins with its task.')
        break
      case 'open':
        if (update.type === 'task') complain('The task has been sent in this stream.')
        if (update.type === 'message') complain('A message has no place in the stream of a task.')
        break
      case 'between':
        if (update.type !== 'task') complain('The stream has ended, and the next begins with the task.')
        break
      case 'over':
        complain('Nothing may follow: the task has ended.')
        break
    }
  }

  #checkIds(update: Update, complain: (message: string) => void): void {
    const { taskId, contextId } = update
    if (this.#taskId === '') {
      this.#taskId = taskId
      this.#contextId = contextId
    } else if (taskId !== this.#taskId) complain(`The stream is that of the task ${this.#taskId}.`)
    else if (contextId !== this.#contextId) complain(`The task is in the context ${this.#contextId}.`)
  }

  #checkArtifact(update: Update & { type: 'artifact' }, complain: (m: string, path?: string) => void): void {
    const { artifactId } = update.artifact
    const known = this.#artifacts.get(artifactId)
    if (known === 'sealed') complain(`The artifact ${artifactId} has had its last chunk.`)
    if (known === undefined && update.append) complain(`There is no artifact ${artifactId} to append to.`)
    this.#artifacts.set(artifactId, update.last ? 'sealed' : 'open')
  }

  #checkStatus({ status }: Update & { type: 'task' | 'status' }, complain: (message: string) => void): void {
    const { state, message } = status
    if (state === 'submitted' && this.#state !== 'submitted') complain('A task that has begun stays begun.')
    this.#state = state
    if (message === undefined) return
    const said = JSON.stringify(message)
    const before = this.#messages.get(message.messageId)
    if (before !== undefined && before !== said) complain(`The message id ${message.messageId} is taken.`)
    this.#messages.set(message.messageId, said)
  }
}
