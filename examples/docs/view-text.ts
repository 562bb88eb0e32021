import {
  artifactOf,
  type PartView,
  partsOf,
  type TaskView,
  taskOf,
  tasksOf,
  type View,
} from 'agentwire/streams'

/** Renders a view as lines of text, as a user interface would render it as elements. */
export function linesOf(view: View): string[] {
  const roots = tasksOf(view).filter(({ parentTaskId }) => parentTaskId === null)
  return roots.flatMap((task) => linesOfTask(view, task))
}

function linesOfTask(view: View, task: TaskView): string[] {
  const lines = partsOf(task).flatMap((part) => linesOfPart(view, task, part))
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
      const name = artifact?.descriptor.name ?? part.artifactId
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
