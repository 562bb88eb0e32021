/** One chat: its stream, what its pages load with, and what they send. */
import { randomUUID } from 'node:crypto'
import type { UIMessage } from 'ai'
import { createEmitter, type Emitter } from 'turnstream'
import { uiMessages } from 'turnstream/ai-sdk'
import { createStream, emptyView, foldEvent, type Stream, type View } from 'turnstream/streams'

/** What an agent does for a message. `ask` waits until the user has answered. */
export type Agent = (
  text: string,
  emit: Emitter['emit'],
  ask: (call: { toolCallId: string; toolName: string; input: object }) => Promise<boolean>,
) => Promise<void>

export class Chat {
  readonly stream: Stream = createStream({ stream: 'chat', epoch: randomUUID() })
  readonly #agent: Agent
  #view: View = emptyView
  readonly #open = new Map<string, (approved: boolean) => void>()

  constructor(agent: Agent) {
    this.#agent = agent
  }

  /** The messages so far, the task that is writing one, and the request of it that was answered last. */
  load(): { messages: ReturnType<typeof uiMessages>; taskId: string | null; inputId?: string | undefined } {
    const running = this.#view.tasks.find(({ status }) => status === 'working')
    const answered = running?.parts.findLast((part) => part.type === 'input' && part.status !== 'open')
    return {
      messages: uiMessages(this.#view),
      taskId: running?.taskId ?? null,
      ...(answered?.type === 'input' && { inputId: answered.inputId }),
    }
  }

  /** Takes a message of the user, or the message of the assistant with an answer to what it asked. */
  async send(message: UIMessage): Promise<{ taskId: string; inputId?: string }> {
    if (message.role === 'assistant') return { taskId: message.id, ...(await this.#answer(message)) }
    const taskId = randomUUID()
    const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    void this.#work(taskId, text)
    return { taskId }
  }

  async #answer({ parts }: UIMessage): Promise<{ inputId?: string }> {
    for (const part of parts) {
      if (part.type !== 'dynamic-tool' || part.state !== 'approval-responded') continue
      const { id: inputId, approved } = part.approval
      const resolve = this.#open.get(inputId)
      this.#open.delete(inputId)
      resolve?.(approved)
      if (resolve !== undefined) return { inputId }
    }
    return {}
  }

  async #work(taskId: string, input: string): Promise<void> {
    const emitter = createEmitter({ contextId: 'chat', taskId })
    const emit: Emitter['emit'] = (draft) => {
      const event = emitter.emit(draft)
      this.#view = foldEvent(this.#view, event)
      void this.stream.append(event)
      return event
    }
    emit({ kind: 'task-created', initiator: 'user', metadata: { input } })
    emit({ kind: 'task-status', status: 'working' })
    await this.#agent(input, emit, async ({ toolCallId, toolName, input: args }) => {
      const inputId = randomUUID()
      const toolCall = { id: toolCallId, function: { name: toolName, arguments: JSON.stringify(args) } }
      const prompt = `Run ${toolName}?`
      emit({
        kind: 'input-required',
        inputId,
        requireUser: true,
        inputType: 'tool-execution',
        prompt,
        metadata: { toolCall },
      })
      emit({ kind: 'task-status', status: 'waiting-input', metadata: { blockedBy: inputId } })
      const approved = await new Promise<boolean>((resolve) => this.#open.set(inputId, resolve))
      emit({
        kind: 'input-received',
        inputId,
        providedBy: 'user',
        userId: 'user-1', // Whom you have authenticated.
        ...(!approved && { outcome: 'declined' }),
      })
      emit({ kind: 'task-status', status: 'working' })
      return approved
    })
    emit({ kind: 'task-complete' })
  }
}
