/** What is sent for a task: updates, the permissions that it asks for, and the response to its prompt. */

import { type Diagnostic, run } from '../../core/machine.ts'
import type { ContextEvent } from '../../events/event.ts'
import type { InputRequiredEvent } from '../../events/input.ts'
import { answeredId, OpenRequests, type Request } from '../../server/protocol/open-requests.ts'
import type { TaskWriter } from '../../server/protocol/write-task.ts'
import type { Viewer } from '../../streams/access/viewer.ts'
import { textContent } from '../to/content.ts'
import { toAcp } from '../to/to-acp.ts'
import type { AcpOutput, AcpUpdate } from '../to/updates.ts'

/** A request of a task. */
export interface AskedName {
  readonly taskId: string
  readonly id: string
}

/** What is sent, a permission to ask for, or that a request was closed. */
export type TurnOutput = AcpOutput | { readonly asked: AskedName } | { readonly closed: AskedName }

/** Questions about anything but a call end the turn as text: the next prompt is the answer. */
export function turnWriter(
  taskId: string,
  options: { readonly viewer: Viewer; readonly input: boolean },
  onDiagnostic: (diagnostic: Diagnostic) => void,
): TaskWriter<TurnOutput> {
  const runner = run(toAcp(options), { onDiagnostic })
  const requests = new OpenRequests(taskId, options.viewer)
  const known = new Set<string>()
  return {
    push(event) {
      const outputs: TurnOutput[] = [...runner.push(event)]
      requests.follow(event)
      const answered = answeredId(event)
      if (answered !== undefined) outputs.push({ closed: { taskId: event.taskId, id: answered } })
      const asked = requests.waiting.filter((request) => {
        const isNew = !known.has(keyOf(request))
        known.add(keyOf(request))
        return isNew && !isExecution(request)
      })
      for (const request of asked)
        if (isCall(request)) outputs.push({ asked: { taskId: request.taskId, id: request.inputId } })
      const questions = asked.filter((request) => !isCall(request))
      const isWaiting = questions.length > 0
      return isWaiting
        ? [
            ...outputs,
            { update: questionUpdate(questions.map(textOf)) },
            { result: { stopReason: 'end_turn' } },
          ]
        : outputs
    },
    end: () => runner.end(),
    isEnd: (output) => 'result' in output || 'error' in output,
  }
}

/** Questions as a message. */
export function questionUpdate(texts: readonly string[]): AcpUpdate {
  return { sessionUpdate: 'agent_message_chunk', content: textContent(`\n\n${texts.join('\n\n')}`) }
}

function keyOf(request: Request): string {
  const { kind, taskId } = request
  return JSON.stringify([kind, taskId, kind === 'input-required' ? request.inputId : request.authId])
}

/** Whether a request is about a call to approve. */
function isCall(request: Request): request is ContextEvent<InputRequiredEvent> {
  return request.kind === 'input-required' && request.metadata?.toolCall !== undefined
}

/** Whether a client is to run a call: an editor does not. */
function isExecution(request: Request): boolean {
  return isCall(request) && request.metadata?.provider === 'client'
}

function textOf(request: Request): string {
  const url = request.kind === 'auth-required' ? request.authUrl : undefined
  return url === undefined ? request.prompt : `${request.prompt}\n${url}`
}
