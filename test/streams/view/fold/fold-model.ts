/** A simple model of folding, with maps and arrays that are changed in place. */
import { createHash } from 'node:crypto'
import type { ContextAnyEvent, ContextEvent, EventOf } from '../../../../src/index.ts'
import type { PartView, View } from '../../../../src/streams/index.ts'

type Json = Record<string, unknown>

interface Series {
  text: string
  next: number
  gap: boolean
}

/** A text, which may have several stretches among the parts. */
interface Segment {
  readonly id: string | undefined
  readonly iteration: number | undefined
  next: number
  gap: boolean
  readonly stretches: Json[]
}

const everyone = ['user', 'coordinator', 'parent', 'observer', 'operator']
/** The statuses of a call that was asked about and has not started. */
const unstarted = ['waiting', 'declined', 'expired', 'canceled']
const endings = ['completed', 'failed', 'canceled']

type Delta = EventOf<'content-delta' | 'thought-delta' | 'tool-arguments-delta'>

interface Write {
  type: string
  by?: string | undefined
  next: number
  content: unknown
  version?: number | undefined
  fault?: string
}

interface Artifact {
  type: string
  committed?: { version: number; content: unknown }
  write?: Write | undefined
}

interface Task {
  parent: string | null
  status: string | null
  updatedAt: string | null
  /** What is shown, in the order of first events. */
  shown: Json[]
  /** The texts that are open. */
  texts: Segment[]
  /** All texts, open or not. */
  allTexts: Segment[]
  /** Thoughts, tool calls, requests, artifacts and subtasks, by type and id. */
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
  const tasks = view.tasks.map((task) => {
    const { taskId, parentTaskId: parent, status, updatedAt, parts } = task
    return [taskId, { parent, status, updatedAt, shown: parts.map(partOf) }]
  })
  const artifacts = view.artifacts.map(({ artifactId, type, committed, pending: writing }) => {
    const content = committed?.content
    const plain =
      content?.type === 'rows'
        ? content.rows
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

/** What the model knows of a part. */
function partOf(part: PartView): Json {
  const { type, at, status, audience } = part
  const base = { type, at, status, audience }
  switch (part.type) {
    case 'text': {
      const { contentId: id, segment, text, iteration, hasGap: gap = false } = part
      return { ...base, id, segment, text, iteration, gap }
    }
    case 'thought':
      return {
        ...base,
        id: part.thoughtId,
        text: part.text,
        iteration: part.iteration,
        gap: part.hasGap ?? false,
      }
    case 'tool': {
      const { toolCallId: id, result, output, argumentsText: written, argumentsComplete: whole } = part
      const { iteration, approval, error } = part
      const args = whole ? part.arguments : undefined
      return { ...base, id, iteration, result, output, written, args, approval, error }
    }
    case 'input':
      return { ...base, id: part.inputId }
    case 'auth':
      return { ...base, id: part.authId }
    case 'artifact':
      return { ...base, id: part.artifactId }
    case 'subtask':
      return { ...base, id: part.subtaskId, prompt: part.prompt }
    case 'error':
      return { ...base, error: part.error }
    case 'custom':
      return { ...base, id: part.customId, name: part.name, data: part.data }
  }
}

/** The summary of any stream of one context. */
export function modelOf(events: readonly ContextAnyEvent[]): Summary {
  const tasks = new Map<string, Task>()
  const artifacts = new Map<string, Artifact>()
  const codes: string[] = []
  const created = new Set<string>()
  const results = new Set<string>()

  const taskFor = (id: string): Task => {
    const task = tasks.get(id) ?? {
      parent: null,
      status: null,
      updatedAt: null,
      shown: [],
      texts: [],
      allTexts: [],
      parts: new Map(),
      args: new Map(),
    }
    tasks.set(id, task)
    return task
  }
  /** Restricts a part to the audiences that the label of an event lists. */
  const restrict = (part: Json, event: ContextAnyEvent): void => {
    const label = (event as { metadata?: { audience?: string[] } }).metadata?.audience
    if (label === undefined) return
    const before = (part.audience ?? everyone) as string[]
    part.audience = before.filter((one) => label.includes(one))
  }
  /** The part of an event with a type and an id, which is shown at the place of its first event. */
  const partFor = (event: ContextAnyEvent, key: string, status: string): Json & { status: string } => {
    const task = taskFor(event.taskId)
    const [type = '', ...id] = key.split(' ')
    let part = task.parts.get(key)
    if (part === undefined) {
      part = { type, at: event.timestamp, status, id: id.join(' ') }
      const { iteration } = event as { iteration?: number }
      if (['thought', 'tool'].includes(type)) part.iteration = iteration
      task.parts.set(key, part)
      task.shown.push(part)
    }
    restrict(part, event)
    return part
  }
  const add = (
    series: { text: string; next: number; gap: boolean },
    { delta, index, indexEnd = index }: Delta,
  ): boolean => {
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
  }
  const enter = (id: string, status: string): void => {
    const task = taskFor(id)
    const hasEnded = endings.includes(task.status ?? '')
    task.status = status
    const announced = tasks.get(task.parent ?? '')?.parts.get(`subtask ${id}`)
    if (announced !== undefined) announced.status = status
    if (hasEnded || !endings.includes(status)) return
    for (const [artifactId, artifact] of artifacts) {
      if (artifact.write?.by !== id || task.parts.get(`artifact ${artifactId}`)?.status !== 'writing')
        continue
      delete artifact.write
      codes.push('abandoned-write')
    }
    task.texts = []
    for (const part of task.shown) {
      const approval = part.approval as { status: string } | undefined
      if (approval?.status === 'waiting') part.approval = { ...approval, status: 'canceled' }
      if (!['open', 'writing', 'running', 'waiting'].includes(part.status as string)) continue
      part.status = part.type === 'input' || part.status === 'waiting' ? 'canceled' : 'ended'
    }
  }
  /** What a request to approve a call makes of the call. */
  const ask = (event: ContextEvent<EventOf<'input-required'>>): void => {
    const { metadata = {}, inputId, prompt, schema, taskId } = event
    const { toolCall, provider } = metadata
    if (toolCall === undefined || provider === 'client') return
    const key = `tool ${toolCall.id}`
    partFor(event, `input ${inputId}`, 'open').about = toolCall.id
    const known = taskFor(taskId).parts.get(key)
    const part = partFor(event, key, 'waiting')
    part.approval = {
      inputId,
      prompt,
      editable: Object.hasOwn((schema?.properties ?? {}) as Json, 'arguments'),
      status: 'waiting',
    }
    if (known !== undefined && !['writing', ...unstarted].includes(known.status)) return
    part.status = 'waiting'
    delete part.error
    part.args = JSON.parse(toolCall.function.arguments) as unknown
    if (part.written !== undefined) part.written = toolCall.function.arguments
    const series = taskFor(taskId).args.get(key)
    if (series !== undefined) series.text = toolCall.function.arguments
  }
  const close = (event: { taskId: string; inputId: string }, to: string): void => {
    const { inputId, taskId } = event
    for (const part of taskFor(taskId).parts.values()) {
      const approval = part.approval as { inputId: string } | undefined
      if (approval?.inputId !== inputId) continue
      part.approval = { ...approval, status: to }
      if (unstarted.includes(part.status) && to !== 'approved') part.status = to
    }
  }
  /** Changes the status of a part that may be in some statuses only. */
  const once = (event: ContextAnyEvent, key: string, from: readonly string[], to: string): boolean => {
    const part = taskFor(event.taskId).parts.get(key)
    if (part !== undefined && !from.includes(part.status)) {
      codes.push('repeated')
      return false
    }
    partFor(event, key, to).status = to
    return true
  }
  const commit = (artifact: Artifact, given: number | undefined, content: unknown): boolean => {
    const current = artifact.committed?.version
    const version = given ?? (current ?? 0) + 1
    const isNewer = current === undefined || version > current
    if (isNewer) artifact.committed = { version, content }
    else codes.push('repeated')
    return isNewer
  }
  const artifactFor = (id: string, type: string): Artifact | undefined => {
    const artifact = artifacts.get(id) ?? { type }
    if (artifact.type === type) return artifact
    codes.push('wrong-type')
    return undefined
  }
  const writeChunk = (event: ContextEvent<EventOf<'file-write' | 'dataset-write'>>): void => {
    const { artifactId, index, indexEnd = index, taskId } = event
    const artifact = artifactFor(artifactId, event.kind)
    if (artifact === undefined) return
    const restarted = index === 0 ? artifact.write : undefined
    if (restarted !== undefined) {
      codes.push('abandoned-write')
      artifact.write = undefined
    }
    const isBytes = event.kind === 'file-write' && event.encoding === 'base64'
    const empty = event.kind === 'dataset-write' ? [] : isBytes ? Buffer.alloc(0) : ''
    const write: Write = artifact.write ?? { type: event.kind, next: 0, content: empty, by: restarted?.by }
    const end = Math.max(index, indexEnd)
    artifacts.set(artifactId, artifact)
    if (end < write.next) {
      codes.push('repeated')
      return
    }
    if (write.by !== undefined && write.by !== taskId) {
      const other = tasks.get(write.by)?.parts.get(`artifact ${artifactId}`)
      if (other?.status === 'writing') other.status = 'ended'
    }
    const part = partFor(event, `artifact ${artifactId}`, 'writing')
    part.status = 'writing'
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
    part.status = 'ended'
    const { content, fault, version } = write
    const digest = event.kind === 'file-write' ? event.digest : undefined
    const hash = createHash('sha256')
    if (fault !== undefined) codes.push('incomplete-write')
    else if (digest !== undefined && digest !== `sha-256:${hash.update(content as string).digest('hex')}`) {
      codes.push('digest-mismatch')
    } else if (commit(artifact, version, Buffer.isBuffer(content) ? content.toString('hex') : content)) {
      part.status = 'complete'
    }
  }
  const changeArtifact = (event: ContextEvent<EventOf<'artifact-delta'>>): void => {
    const { artifactId, baseVersion, version, change, taskId } = event
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
      if (artifacts.get(artifactId)?.write?.by !== taskId) {
        partFor(event, `artifact ${artifactId}`, 'complete').status = 'complete'
      }
    }
  }
  /** Ids of the text files. The content of other files is in hexadecimal digits. */
  const texts = new Set<string>()

  for (const event of events) {
    if (event.kind.startsWith('internal:')) continue
    const task = taskFor(event.taskId)
    if (event.parentTaskId !== undefined) attach(event.taskId, event.parentTaskId)
    const isOver = endings.includes(task.status ?? '')
    if (isOver && /^(content|thought|tool|iteration)-|-required$/.test(event.kind)) {
      codes.push('after-end')
      task.updatedAt = lastInstant(event)
      continue
    }
    switch (event.kind) {
      case 'task-created':
        if (created.has(event.taskId)) codes.push('repeated')
        created.add(event.taskId)
        break
      case 'task-status':
        if (isOver && event.status !== task.status) codes.push('after-end')
        else enter(event.taskId, event.status)
        break
      case 'task-complete':
        if ((isOver && task.status !== 'completed') || results.has(event.taskId)) codes.push('after-end')
        else {
          results.add(event.taskId)
          enter(event.taskId, 'completed')
        }
        break
      case 'task-error':
        task.shown.push({ type: 'error', at: event.timestamp, status: 'complete', error: event.error })
        restrict(task.shown.at(-1) ?? {}, event)
        break
      case 'custom': {
        if (event.transient) break
        const { customId: id, name, data } = event
        if (id === undefined) {
          task.shown.push({ type: 'custom', at: event.timestamp, status: 'complete', id, name, data })
          restrict(task.shown.at(-1) ?? {}, event)
        } else Object.assign(partFor(event, `custom ${id}`, 'complete'), { name, data })
        break
      }
      case 'subtask-created':
        if (task.parts.has(`subtask ${event.subtaskId}`)) codes.push('repeated')
        else {
          const { status } = taskFor(event.subtaskId)
          const part = partFor(event, `subtask ${event.subtaskId}`, status as string)
          part.prompt = event.prompt
          attach(event.subtaskId, event.taskId)
        }
        break
      case 'content-delta': {
        const known = task.texts.find(({ id }) => id === event.contentId)
        const text: Segment = known ?? newSegment(event)
        const piece: Series = { text: '', next: text.next, gap: false }
        if (!add(piece, event)) break
        text.next = piece.next
        text.gap ||= piece.gap
        if (known === undefined) {
          task.texts.push(text)
          task.allTexts.push(text)
        }
        const last = task.shown.at(-1)
        const labelled: Json = {}
        restrict(labelled, event)
        const goesOn =
          last !== undefined &&
          text.stretches.at(-1) === last &&
          String(last.audience) === String(labelled.audience)
        if (goesOn) {
          last.text = (last.text as string) + piece.text
          last.gap = last.gap || piece.gap
        } else {
          const segment = text.stretches[0]?.segment ?? task.shown.length
          const { text: own, gap } = piece
          const { contentId: id, timestamp: at } = event
          const { iteration } = text
          const stretch = {
            ...{ type: 'text', at, status: 'open', id, segment, iteration, text: own, gap },
            ...labelled,
          }
          text.stretches.push(stretch)
          task.shown.push(stretch)
        }
        break
      }
      case 'content-replace': {
        const { content, contentId: id, timestamp: at } = event
        const known = task.allTexts.findLast((text) => text.id === id)
        const open = task.texts.find((text) => text.id === id)
        const text = open ?? known ?? newSegment(event)
        const [first, ...others] = text.stretches
        const part = first ?? { type: 'text', at, id, segment: task.shown.length, iteration: text.iteration }
        restrict(part, event)
        for (const { audience } of others) {
          restrict(part, { metadata: { audience } } as never)
        }
        Object.assign(part, { status: 'open', text: content, gap: false })
        Object.assign(text, { next: 1, gap: false, stretches: [part] })
        if (first === undefined) task.shown.push(part)
        if (known === undefined) task.allTexts.push(text)
        if (open === undefined) task.texts.push(text)
        remove(task, (other) => others.includes(other))
        break
      }
      case 'iteration-reset': {
        const goes = (part: Json): boolean =>
          part.iteration === event.iteration && !part.started && !part.approval
        for (const part of task.shown) {
          if (part.iteration === event.iteration && (part.started || part.approval))
            codes.push('started-call')
        }
        task.texts = task.texts.filter((text) => text.iteration !== event.iteration)
        task.allTexts = task.allTexts.filter((text) => text.iteration !== event.iteration)
        for (const [key, part] of task.parts) {
          if (!goes(part)) continue
          task.parts.delete(key)
          task.args.delete(key)
        }
        remove(task, goes)
        break
      }
      case 'content-complete': {
        const known = task.texts.find(({ id }) => id === event.contentId)
        task.texts = task.texts.filter((text) => text !== known)
        const { content, contentId: id, timestamp: at } = event
        const before = task.allTexts.findLast((text) => text.id === id)
        if (known === undefined && before !== undefined && isWholeOf(task, before, event)) {
          codes.push('repeated')
          break
        }
        if (known === undefined) {
          const segment = task.shown.length
          const { iteration } = event
          const text = newSegment(event)
          task.allTexts.push(text)
          text.stretches.push({
            ...{ type: 'text', at, status: 'complete', id, segment, iteration, text: content, gap: false },
          })
          task.shown.push(...text.stretches)
          restrict(task.shown.at(-1) ?? {}, event)
          break
        }
        const texts = known.stretches.map(({ text }) => text as string)
        const isSame = texts.join('') === content
        if (!isSame && !known.gap) codes.push('content-mismatch')
        const divided = isSame ? texts : dividedText(content, texts)
        for (const [i, stretch] of known.stretches.entries()) {
          Object.assign(stretch, { status: 'complete', text: divided[i], gap: false })
          restrict(stretch, event)
        }
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
          const isRepeated = !isWhole && !add(series, event)
          if (isWhole && known !== undefined && !series.gap && series.text !== event.content) {
            codes.push('content-mismatch')
          }
          if (isRepeated) break
          const part = partFor(event, key, 'open')
          part.status = isWhole ? 'complete' : 'open'
          part.text = isWhole ? event.content : series.text
          part.gap = !isWhole && series.gap
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
        if (add(series, event)) partFor(event, key, 'writing').written = series.text
        break
      }
      case 'tool-start':
        if (once(event, `tool ${event.toolCallId}`, ['writing', 'running', ...unstarted], 'running')) {
          const part = partFor(event, `tool ${event.toolCallId}`, 'running')
          part.args = event.arguments
          part.started = true
          part.written = undefined
          delete part.error
        }
        break
      case 'tool-progress':
        if (once(event, `tool ${event.toolCallId}`, ['writing', 'running', ...unstarted], 'running')) {
          const { stream = '', chunk } = event.metadata ?? {}
          const part = partFor(event, `tool ${event.toolCallId}`, 'running')
          part.started = true
          if (part.args !== undefined) part.written = undefined
          delete part.error
          const output = part.output as Record<string, string> | undefined
          if (chunk !== undefined) part.output = { ...output, [stream]: (output?.[stream] ?? '') + chunk }
        }
        break
      case 'tool-complete': {
        const before = task.parts.get(`tool ${event.toolCallId}`)?.status ?? ''
        const end = before === 'waiting' ? 'canceled' : unstarted.includes(before) ? before : 'failed'
        const to = event.success ? 'succeeded' : end
        if (once(event, `tool ${event.toolCallId}`, ['writing', 'running', ...unstarted], to)) {
          const part = partFor(event, `tool ${event.toolCallId}`, to)
          part.result = event.result
          part.started ||= event.success
          part.error = event.error ?? (event.success ? undefined : part.error)
          if (event.success && part.args !== undefined) part.written = undefined
        }
        break
      }
      case 'input-required':
        if (once(event, `input ${event.inputId}`, [], 'open')) ask(event)
        break
      case 'input-received':
        if (once(event, `input ${event.inputId}`, ['open'], event.outcome ?? 'answered'))
          close(event, event.outcome === 'declined' ? 'declined' : 'approved')
        break
      case 'input-canceled':
        if (once(event, `input ${event.inputId}`, ['open'], 'canceled'))
          close(event, event.reason === 'expired' ? 'expired' : 'canceled')
        break
      case 'auth-required':
        once(event, `auth ${event.authId}`, [], 'open')
        break
      case 'auth-completed':
        once(event, `auth ${event.authId}`, ['open'], 'completed')
        break
      case 'auth-failed':
        once(event, `auth ${event.authId}`, ['open'], 'failed')
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
          const given = event.version ?? (event.metadata?.version as number | undefined)
          if (!commit(artifact, given, event.data)) break
          artifacts.set(event.artifactId, artifact)
          partFor(event, `artifact ${event.artifactId}`, 'complete').status = 'complete'
        }
        break
      }
      case 'artifact-delta':
        changeArtifact(event)
        break
      default:
        break
    }
    task.updatedAt = lastInstant(event)
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

/** Whether an event repeats a text that is complete: not later than the last event of the task. */
function isWholeOf(
  { shown, updatedAt }: Task,
  { stretches, iteration }: Segment,
  event: ContextEvent<EventOf<'content-complete'>>,
): boolean {
  const last = stretches.at(-1)
  if (last?.status !== 'complete' || iteration !== event.iteration || updatedAt === null) return false
  if (stretches.map(({ text }) => text).join('') !== event.content) return false
  const [time, end] = [Date.parse(event.timestamp), Date.parse(updatedAt)]
  return time < end || (time === end && shown.at(-1) === last)
}

function plain({ parent, status, updatedAt, shown }: Task): Json {
  return { parent, status, updatedAt, shown: shown.map(({ started: _, about: __, ...part }) => part) }
}

function newSegment({ contentId: id, iteration }: { contentId?: string; iteration?: number }): Segment {
  return { id, iteration, next: 0, gap: false, stretches: [] }
}

/** Removes parts. Texts name the new positions of their first parts. */
function remove(task: Task, goes: (part: Json) => boolean): void {
  const before = task.shown
  task.shown = before.filter((part) => !goes(part))
  for (const [i, part] of [...task.shown.entries()].reverse()) {
    const last = task.shown[i - 1]
    const isOne = part.type === 'text' && last?.type === 'text' && last.segment === part.segment
    if (!isOne || String(last.audience) !== String(part.audience)) continue
    Object.assign(last, { text: `${last.text}${part.text}`, gap: last.gap || part.gap })
    task.shown.splice(i, 1)
    for (const text of task.allTexts) {
      const at = text.stretches.indexOf(part)
      if (at >= 0) text.stretches.splice(at, 1)
    }
  }
  for (const part of task.shown) {
    if (part.type === 'text') part.segment = task.shown.indexOf(before[part.segment as number] as Json)
  }
}

function lastInstant(event: ContextAnyEvent): string {
  const { timestampEnd } = event as { timestampEnd?: string }
  const isDelta = 'index' in event && event.kind !== 'thought-stream'
  return (isDelta ? timestampEnd : undefined) ?? event.timestamp
}

/** A text among its stretches: each keeps what the text begins or ends with, the first other one has the rest. */
function dividedText(content: string, texts: readonly string[]): string[] {
  const count = texts.length
  let front = 0
  while (front < count - 1 && content.startsWith(texts.slice(0, front + 1).join(''))) front++
  const head = texts.slice(0, front).join('')
  const rest = content.slice(head.length)
  let back = 0
  while (back < count - 1 - front && rest.endsWith(texts.slice(count - back - 1).join(''))) back++
  const tail = texts.slice(count - back).join('')
  const middle = rest.slice(0, rest.length - (back === 0 ? 0 : tail.length))
  const empty = Array<string>(count - front - back - 1).fill('')
  return [...texts.slice(0, front), middle, ...empty, ...texts.slice(count - back)]
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
