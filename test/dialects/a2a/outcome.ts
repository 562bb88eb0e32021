/** What a stream of one task leads to, whatever the way it was received. */

import { textToBase64 } from '../../../src/encoding/base64.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { type ArtifactView, emptyView, foldEvents } from '../../../src/streams/index.ts'

/** Its texts, its artifacts by id, and how the task ended. Without what is empty, and without the order of texts. */
export function outcomeOf(events: readonly ContextAnyEvent[]): object {
  const { tasks, artifacts } = foldEvents(emptyView, events)
  const [task] = tasks
  const texts = new Map<string, string>()
  for (const part of task?.parts ?? []) {
    if (part.type !== 'text') continue
    const { contentId = '', text } = part
    texts.set(contentId, (texts.get(contentId) ?? '') + text)
  }
  const outputs = artifacts.map((artifact) => [artifact.artifactId, contentOf(artifact)] as const)
  return {
    texts: sorted([...texts]),
    outputs: sorted(outputs),
    status: task?.status,
    message: task?.message,
    error: task?.error,
    result: task?.result?.content ?? '',
  }
}

/** The content of an artifact: of a file its bytes, whether they came as text or not. */
function contentOf({ committed }: ArtifactView): string {
  const content = committed?.content
  switch (content?.type) {
    case 'text':
      return textToBase64(content.text)
    case 'bytes':
      return content.base64
    case 'data':
      return JSON.stringify(content.data)
    default:
      return content === undefined ? '' : JSON.stringify(content.rows)
  }
}

function sorted(entries: readonly (readonly [string, string])[]): unknown[] {
  return entries.filter(([, content]) => content !== '').sort(([a], [b]) => (a < b ? -1 : 1))
}
