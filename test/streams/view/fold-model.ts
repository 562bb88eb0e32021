/** A simple model of folding, with maps and arrays that are changed in place. */
import { createHash } from 'node:crypto'
import type { ContextAnyEvent, EventOf } from '../../../src/index.ts'
import { artifactsOf, partsOf, rowsOf, tasksOf, type View } from '../../../src/streams/index.ts'

type Json = Record<string, unknown>

interface Series {
  text: string
  next: number
  gap: boolean
}

type Delta = EventOf<'content-delta' | 'thought-delta' | 'tool-arguments-delta'>

interface Write {
  type: string
  by?: string
  next: number
  content: unknown
  version?: number | undefined
  fault?: string
}

interface Artifact {
  type: string
  committed?: { version: number; content: unknown }
  write?: Write
}

interface Task {
  parent: string | null
  status: string | null
  texts: (Series & { id: string | undefined; status: string })[]
  /** Thoughts, tool calls and requests, by type and id. */
  parts: Map<string, Json & { status: string }>
  args: Map<string, Series>
}

/** What the model and the view must agree on. */
export interface Summary {
  readonly tasks: Json
  readonly artifacts: Json
  readonly codes: readonly string[]
}

/** The summary of a view. */
export function summaryOf(view: View): Summary {
  const tasks = tasksOf(view).map((task) => {
    const parts = partsOf(task)
    const texts = parts.flatMap((part) =>
      part.type === 'text'
        ? [{ id: part.contentId, text: part.text, status: part.status, gap: part.hasGap }]
        : [],
    )
    const others = parts.flatMap((part): [string, unknown][] => {
      const { status } = part as { status?: string }
      if (part.type === 'thought') return [[`thought ${part.thoughtId}`, { status, text: part.text }]]
      if (part.type === 'input') return [[`input ${part.inputId}`, { status }]]
      if (part.type === 'auth') return [[`auth ${part.authId}`, { status }]]
      if (part.type !== 'tool') return []
      const { toolCallId, result, arguments: args, streamedArguments: writing, output } = part
      return [[`tool ${toolCallId}`, { status, result, args, output, written: writing?.text }]]
    })
    const { parentTaskId: parent, status } = task
    return [task.taskId, { parent, status, texts, parts: Object.fromEntries(others) }]
  })
  const artifacts = artifactsOf(view).map(({ artifactId, type, committed, pending: writing }) => {
    const content = committed?.content
    const plain =
      content?.type === 'rows'
        ? rowsOf(content)
        : content?.type === 'bytes'
          ? Buffer.from(content.base64, 'base64').toString('hex')
          : content?.type === 'text'
            ? content.text
            : content?.data
    const is = committed && { version: committed.version, content: plain }
    return [artifactId, { type, committed: is, next: writing?.nextIndex, fault: writing?.fault }]
  })
  return {
    tasks: Object.fromEntries(tasks) as Json,
    artifacts: Object.fromEntries(artifacts) as Json,
    codes: view.diagnostics.map(({ code }) => code),
  }
}

/** The summary of any stream of one context. */
export function modelOf(events: readonly ContextAnyEvent[]): Summary {
  const tasks = new Map<string, Task>()
  const artifacts = new Map<string, Artifact>()
  const codes: string[] = []

  const taskFor = (id: string): Task => {
    const task = tasks.get(id) ?? { parent: null, status: null, texts: [], parts: new Map(), args: new Map() }
    tasks.set(id, task)
    return task
  }
  const partFor = (task: Task, key: string, status: string): Json & { status: string } => {
    const part = task.parts.get(key) ?? { status }
    task.parts.set(key, part)
    return part
  }
  const add = (series: Series, { delta, index, indexEnd = index }: Delta): boolean => {
    const end = Math.max(index, indexEnd)
    if (end < series.next) {
      codes.push('repeated')
      return false
    }
    if (index !== series.next) {
      codes.push('gap')
      series.gap = true
    }
    if (index >= series.next) series.text += delta
    series.next = end + 1
    return true
  }
  const attach = (child: string, parent: string): void => {
    if (child === parent || taskFor(child).parent !== null) return
    taskFor(child).parent = parent
    taskFor(parent)
  }
  const finish = (id: string): void => {
    const task = taskFor(id)
    for (const text of task.texts) if (text.status === 'open') text.status = 'ended'
    for (const [key, part] of task.parts) {
      const isOpen = ['open', 'writing', 'running'].includes(part.status)
      if (isOpen) part.status = key.startsWith('input ') ? 'canceled' : 'ended'
    }
    for (const artifact of artifacts.values()) {
      if (artifact.write?.by !== id) continue
      delete artifact.write
      codes.push('abandoned-write')
    }
  }
  /** Changes the status of a part that may be in some statuses only. */
  const once = (task: Task, key: string, from: readonly string[], to: string): boolean => {
    const part = task.parts.get(key)
    if (part !== undefined && !from.includes(part.status)) {
      codes.push('repeated')
      return false
    }
    partFor(task, key, to).status = to
    return true
  }
  const commit = (artifact: Artifact, given: number | undefined, content: unknown): void => {
    const current = artifact.committed?.version
    const version = given ?? (current ?? 0) + 1
    if (current !== undefined && version <= current) codes.push('repeated')
    else artifact.committed = { version, content }
  }
  const artifactFor = (id: string, type: string): Artifact | undefined => {
    const artifact = artifacts.get(id) ?? { type }
    if (artifact.type === type) return artifact
    codes.push('wrong-type')
    return undefined
  }
  const writeChunk = (event: EventOf<'file-write' | 'dataset-write'> & { taskId: string }): void => {
    const { artifactId, index, indexEnd = index, taskId } = event
    const artifact = artifactFor(artifactId, event.kind)
    if (artifact === undefined) return
    if (index === 0 && artifact.write !== undefined) {
      codes.push('abandoned-write')
      delete artifact.write
    }
    const isBytes = event.kind === 'file-write' && event.encoding === 'base64'
    const empty = event.kind === 'dataset-write' ? [] : isBytes ? Buffer.alloc(0) : ''
    const write: Write = artifact.write ?? { type: event.kind, next: 0, content: empty }
    const end = Math.max(index, indexEnd)
    artifacts.set(artifactId, artifact)
    if (end < write.next) {
      codes.push('repeated')
      return
    }
    write.by = taskId
    write.version = event.version ?? write.version
    if (index !== write.next) {
      codes.push('gap')
      write.fault = 'gap'
    }
    write.next = end + 1
    if (write.fault === undefined) {
      if (event.kind === 'dataset-write') write.content = [...(write.content as Json[]), ...event.rows]
      else if (typeof write.content === 'string') write.content += event.data
      else if (/^(?:[\w+/]{4})*(?:[\w+/]{2}(?:==)?|[\w+/]{3}=?)?$/.test(event.data)) {
        write.content = Buffer.concat([write.content as Buffer, Buffer.from(event.data, 'base64')])
      } else {
        codes.push('bad-base64')
        write.fault = 'bad-base64'
      }
    }
    artifact.write = write
    if (!event.complete) return
    delete artifact.write
    const { content, fault, version } = write
    const digest = event.kind === 'file-write' ? event.digest : undefined
    const hash = createHash('sha256')
    if (fault !== undefined) codes.push('incomplete-write')
    else if (digest !== undefined && digest !== `sha-256:${hash.update(content as string).digest('hex')}`) {
      codes.push('digest-mismatch')
    } else commit(artifact, version, Buffer.isBuffer(content) ? content.toString('hex') : content)
  }
  const changeArtifact = ({ artifactId, baseVersion, version, change }: EventOf<'artifact-delta'>): void => {
    const committed = artifacts.get(artifactId)?.committed
    if (committed === undefined) codes.push('unknown-artifact')
    else if (committed.version !== baseVersion || version <= baseVersion) codes.push('version-conflict')
    else {
      const { content } = committed
      const type = artifacts.get(artifactId)?.type
      if (type === 'dataset-write' && change.type === 'rows-append') {
        committed.content = [...(content as Json[]), ...change.rows]
      } else if (type === 'data-write' && change.type === 'merge-patch') {
        committed.content = merged(content, change.patch)
      } else if (type === 'data-write' && change.type === 'json-patch') {
        for (const { path, value } of change.patch)
          committed.content = { ...(committed.content as Json), [path.slice(1)]: value }
      } else if (typeof content === 'string' && texts.has(artifactId) && change.type === 'text-append') {
        committed.content = content + change.text
      } else {
        codes.push('wrong-type')
        return
      }
      committed.version = version
    }
  }
  /** Ids of the text files. The content of other files is in hexadecimal digits. */
  const texts = new Set<string>()

  for (const event of events) {
    if (event.kind.startsWith('internal:')) continue
    const task = taskFor(event.taskId)
    if (event.parentTaskId !== undefined) attach(event.taskId, event.parentTaskId)
    const isOver = ['completed', 'failed', 'canceled'].includes(task.status ?? '')
    switch (event.kind) {
      case 'task-created':
        if (task.parts.has('created')) codes.push('repeated')
        else partFor(task, 'created', 'created')
        break
      case 'task-status':
        if (isOver && event.status !== task.status) codes.push('after-end')
        else {
          task.status = event.status
          if (['completed', 'failed', 'canceled'].includes(event.status)) finish(event.taskId)
        }
        break
      case 'task-complete':
        if ((isOver && task.status !== 'completed') || task.parts.has('result')) codes.push('after-end')
        else {
          partFor(task, 'result', 'present')
          task.status = 'completed'
          finish(event.taskId)
        }
        break
      case 'subtask-created':
        if (task.parts.has(`subtask ${event.subtaskId}`)) codes.push('repeated')
        else {
          partFor(task, `subtask ${event.subtaskId}`, 'present')
          attach(event.subtaskId, event.taskId)
          taskFor(event.subtaskId)
        }
        break
      case 'content-delta': {
        const open = task.texts.find(({ id, status }) => id === event.contentId && status === 'open')
        const text = open ?? { id: event.contentId, text: '', next: 0, gap: false, status: 'open' }
        if (add(text, event) && open === undefined) task.texts.push(text)
        break
      }
      case 'content-complete': {
        const open = task.texts.find(({ id, status }) => id === event.contentId && status === 'open')
        if (open !== undefined && !open.gap && open.text !== event.content) codes.push('content-mismatch')
        const text = { id: event.contentId, text: event.content, next: 0, gap: false, status: 'complete' }
        if (open === undefined) task.texts.push(text)
        else Object.assign(open, text)
        break
      }
      case 'thought-delta':
      case 'thought-stream': {
        const key = `thought ${event.thoughtId}`
        const known = task.parts.get(key)
        const isWhole = event.kind === 'thought-stream'
        if (known?.status === 'complete' || (!isWhole && known?.status === 'ended')) codes.push('repeated')
        else {
          const series = task.args.get(key) ?? { text: '', next: 0, gap: false }
          task.args.set(key, series)
          if (!isWhole) add(series, event)
          else if (known !== undefined && !series.gap && series.text !== event.content) {
            codes.push('content-mismatch')
          }
          const part = partFor(task, key, 'open')
          part.status = isWhole ? 'complete' : 'open'
          part.text = isWhole ? event.content : series.text
        }
        break
      }
      case 'tool-arguments-delta': {
        const key = `tool ${event.toolCallId}`
        const part = task.parts.get(key)
        if (part !== undefined && part.status !== 'writing') {
          codes.push('repeated')
          break
        }
        const series = task.args.get(key) ?? { text: '', next: 0, gap: false }
        task.args.set(key, series)
        add(series, event)
        partFor(task, key, 'writing').written = series.text
        break
      }
      case 'tool-start':
        if (once(task, `tool ${event.toolCallId}`, ['writing', 'running'], 'running')) {
          const part = partFor(task, `tool ${event.toolCallId}`, 'running')
          part.args = event.arguments
          part.written = undefined
        }
        break
      case 'tool-progress':
        if (once(task, `tool ${event.toolCallId}`, ['writing', 'running'], 'running')) {
          const { stream = '', chunk } = event.metadata ?? {}
          const part = partFor(task, `tool ${event.toolCallId}`, 'running')
          const output = part.output as Record<string, string> | undefined
          if (chunk !== undefined) part.output = { ...output, [stream]: (output?.[stream] ?? '') + chunk }
        }
        break
      case 'tool-complete': {
        const to = event.success ? 'succeeded' : 'failed'
        if (once(task, `tool ${event.toolCallId}`, ['writing', 'running'], to)) {
          partFor(task, `tool ${event.toolCallId}`, to).result = event.result
        }
        break
      }
      case 'input-required':
        once(task, `input ${event.inputId}`, [], 'open')
        break
      case 'input-received':
        once(task, `input ${event.inputId}`, ['open'], event.outcome ?? 'answered')
        break
      case 'input-canceled':
        once(task, `input ${event.inputId}`, ['open'], 'canceled')
        break
      case 'auth-required':
        once(task, `auth ${event.authId}`, [], 'open')
        break
      case 'auth-completed':
        once(task, `auth ${event.authId}`, ['open'], 'completed')
        break
      case 'auth-failed':
        once(task, `auth ${event.authId}`, ['open'], 'failed')
        break
      case 'file-write': {
        const before = artifacts.get(event.artifactId)?.committed
        const isText =
          typeof (event.index > 0 ? artifacts.get(event.artifactId)?.write?.content : '') === 'string'
        writeChunk(event)
        const after = artifacts.get(event.artifactId)?.committed
        if (after === before) break
        if (isText && event.encoding !== 'base64') texts.add(event.artifactId)
        else texts.delete(event.artifactId)
        break
      }
      case 'dataset-write':
        writeChunk(event)
        break
      case 'data-write': {
        const artifact = artifactFor(event.artifactId, event.kind)
        if (artifact === undefined) break
        const { expectedVersion } = event
        const current = artifact.committed?.version
        if (expectedVersion !== undefined && current !== undefined && expectedVersion !== current) {
          codes.push('version-conflict')
        } else {
          artifacts.set(event.artifactId, artifact)
          commit(artifact, event.version ?? (event.metadata?.version as number | undefined), event.data)
        }
        break
      }
      case 'artifact-delta':
        changeArtifact(event)
        break
      default:
        break
    }
  }
  return {
    tasks: Object.fromEntries([...tasks].map(([id, task]) => [id, plain(task)])),
    artifacts: Object.fromEntries(
      [...artifacts].map(([id, { type, committed, write }]) => [
        id,
        { type: type.replace('-write', ''), committed, next: write?.next, fault: write?.fault },
      ]),
    ),
    codes: codes.slice(-64),
  }
}

function plain({ parent, status, texts, parts }: Task): Json {
  const others = [...parts].filter(([key]) => /^(thought|tool|input|auth) /.test(key))
  return {
    parent,
    status,
    texts: texts.map(({ id, text, status: is, gap }) => ({ id, text, status: is, gap })),
    parts: Object.fromEntries(others),
  }
}

/** JSON Merge Patch, as in RFC 7396. */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target)
  const result: Json = isObject ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else result[name] = merged(result[name], value)
  }
  return result
}
