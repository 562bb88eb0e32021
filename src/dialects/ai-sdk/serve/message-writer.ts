/** The chunks of the message that a task writes. */

import { type Diagnostic, run } from '../../../core/machine.ts'
import { answeredId, OpenRequests } from '../../../server/protocol/open-requests.ts'
import type { TaskWriter } from '../../../server/protocol/write-task.ts'
import type { Viewer } from '../../../streams/access/viewer.ts'
import { type ToUiMessageStreamOptions, toUiMessageStream } from '../to/to-ui-message-stream.ts'
import type { UiMessageChunk } from '../wire/types.ts'

export function messageWriter(
  taskId: string,
  options: ToUiMessageStreamOptions & { readonly viewer: Viewer },
  onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined,
): TaskWriter<UiMessageChunk> {
  const { push, end } = run(toUiMessageStream(options), onDiagnostic && { onDiagnostic })
  const requests = new OpenRequests(taskId, options.viewer)
  let start: UiMessageChunk[] = []
  let finish: UiMessageChunk | undefined
  let isContinued = true

  return {
    push(event) {
      requests.follow(event)
      const written = push(event)
      const [first] = written
      const isBegun = isContinued || first === undefined || first.type === 'start'
      const chunks = isBegun ? written : [...start, ...written]
      isContinued ||= first !== undefined
      for (const chunk of written) {
        if (chunk.type === 'start') start = [chunk]
        if (chunk.type === 'finish') finish = chunk
      }
      // Some of several questions were answered: the task still waits for the others, without a status that states it again.
      const isAsking = answeredId(event) !== undefined && requests.waiting.length > 0
      if (!isAsking || finish === undefined) return chunks
      isContinued = false
      return [...chunks, finish]
    },
    end: () => end(),
    isEnd: ({ type }) => type === 'finish' || type === 'error' || type === 'abort',
  }
}
