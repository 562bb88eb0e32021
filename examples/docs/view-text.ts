import { artifactOf, type PartView, type TaskView, taskOf, type View } from 'turnstream/streams'

/** Renders a view as lines of text, as a user interface would render it as elements. */
export function linesOf(view: View): string[] {
  const roots = view.tasks.filter((task) => parentOf(view, task) === undefined)
  return roots.flatMap((task) => linesOfTask(view, task))
}

/** `undefined` if the task has no parent, or the reader is not shown the parent. */
function parentOf(view: View, { parentTaskId, contextId }: TaskView): TaskView | undefined {
  return parentTaskId === null ? undefined : taskOf(view, parentTaskId, contextId)
}

function linesOfTask(view: View, task: TaskView): string[] {
  const lines = task.parts.flatMap((part) => linesOfPart(view, task, part))
  return [`${task.taskId}: ${task.status}`, ...lines.map((line) => `  ${line}`)]
}

function linesOfPart(view: View, { contextId }: TaskView, part: PartView): string[] {
  switch (part.type) {
    case 'text':
      return [part.status === 'open' ? `${part.text}…` : part.text]
    case 'thought':
      return [`(${part.text})`]
    case 'tool':
      return [`${part.toolName} ${part.status}`, ...Object.values(part.output ?? {})]
    case 'input':
    case 'auth':
      return part.status === 'open' ? [`? ${part.request?.prompt}`] : []
    case 'artifact': {
      const artifact = artifactOf(view, part.artifactId, contextId)
      const { content, version } = artifact?.committed ?? {}
      const name = artifact?.name ?? part.artifactId
      return [content?.type === 'text' ? `${name} v${version}: ${content.text}` : name]
    }
    case 'subtask': {
      const subtask = taskOf(view, part.subtaskId, contextId)
      return subtask === undefined ? [] : linesOfTask(view, subtask)
    }
    case 'error':
      return [`! ${part.error.message}`]
    case 'custom':
      return [`${part.name} ${JSON.stringify(part.data)}`]
    default: // Types of parts that later versions add.
      return []
  }
}
