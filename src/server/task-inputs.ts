/** What clients send to the tasks that run in this process, for their agents to read. */

import { mismatch } from '../core/require.ts'
import type { TaskName } from '../events/event.ts'
import { contextKey } from '../streams/context-key.ts'
import type { AgentInput } from './stream.ts'

/** The input of one task. */
interface Channel {
  readonly task: TaskName
  readonly inputs: AgentInput[]
  isClosed: boolean
  wake: (() => void) | undefined
}

export class TaskInputs {
  readonly #channels = new Map<string, Channel>()

  /** @throws TypeError if the input of the task is read already. */
  open(task: TaskName): AsyncGenerator<AgentInput, void, undefined> {
    const key = contextKey(task.contextId, task.taskId)
    if (this.#channels.has(key)) throw mismatch('task', 'a task whose input nobody reads', task)
    const channel: Channel = { task, inputs: [], isClosed: false, wake: undefined }
    this.#channels.set(key, channel)
    return readFrom(channel)
  }

  /** Gives input to the agent of its task; `false` if nobody reads it. */
  push(task: TaskName, input: AgentInput): boolean {
    const channel = this.#channels.get(contextKey(task.contextId, task.taskId))
    channel?.inputs.push(input)
    channel?.wake?.()
    return channel !== undefined
  }

  /** Ends the input of some tasks, after what has come. */
  end(isOver: (task: TaskName) => boolean): void {
    for (const channel of this.#channels.values()) {
      if (!isOver(channel.task)) continue
      channel.isClosed = true
      channel.wake?.()
    }
  }

  /** Returns the input that nobody has read. */
  close({ contextId, taskId }: TaskName): readonly AgentInput[] {
    const key = contextKey(contextId, taskId)
    const left = this.#channels.get(key)?.inputs ?? []
    this.#channels.delete(key)
    return left
  }
}

async function* readFrom(channel: Channel): AsyncGenerator<AgentInput, void, undefined> {
  for (;;) {
    const input = channel.inputs.shift()
    if (input !== undefined) yield input
    else if (channel.isClosed) return
    else {
      await new Promise<void>((resolve) => {
        channel.wake = resolve
      })
      channel.wake = undefined
    }
  }
}
