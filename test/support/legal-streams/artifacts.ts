/** Moves of an agent: artifacts. */
import { createHash } from 'node:crypto'
import { type Agent, type Artifact, type Bare, type Choice, choose, type Move, type Task } from './agent.ts'

/** An incomplete artifact of the type, or a new one. */
function openArtifact(
  agent: Agent,
  task: Task,
  type: Artifact['type'],
  choice: Choice,
): [id: string, artifact: Artifact] {
  for (const [id, known] of knownArtifacts(agent, task)) {
    const isAgain = agent.options.sharedArtifacts === true && choice.number % 5 === 4
    if (known.type !== type || !(type === 'data' ? choice.flag : isAgain || !known.complete)) continue
    task.artifacts.set(id, known)
    if (type !== 'data' && known.complete) Object.assign(known, { next: 0, complete: false })
    return [id, known]
  }
  const id = agent.id(type)
  const opened: Artifact = {
    type,
    base64: type === 'file' && choice.number % 2 === 1,
    next: 0,
    complete: false,
    version: 0,
    pendingBy: undefined,
    committers: new Set(),
    bytes: Buffer.alloc(0),
  }
  task.artifacts.set(id, opened)
  return [id, opened]
}

/** The artifacts a task may write to. */
function knownArtifacts(agent: Agent, task: Task): [id: string, artifact: Artifact][] {
  if (agent.options.sharedArtifacts !== true) return [...task.artifacts]
  return agent.tasks.flatMap(({ artifacts }) => [...artifacts])
}

/** Notes that a task wrote to an artifact. */
function note(task: Task, artifact: Artifact): void {
  artifact.pendingBy = artifact.complete ? undefined : task.id
  if (!artifact.complete) return
  artifact.version += 1
  artifact.committers.add(task.id)
}

/** Abandons what a task is writing when it ends. */
export function abandonWrites(task: Task): void {
  for (const artifact of task.artifacts.values()) {
    if (artifact.pendingBy !== task.id) continue
    Object.assign(artifact, { next: 0, complete: artifact.version > 0, pendingBy: undefined })
  }
}

export const writeFile: Move = (agent, task, choice) => {
  writeChunk(agent, task, choice, openArtifact(agent, task, 'file', choice))
}

/** Writes the next chunk of a file. */
function writeChunk(
  agent: Agent,
  task: Task,
  choice: Choice,
  [artifactId, file]: readonly [id: string, artifact: Artifact],
): void {
  const index = file.next++
  file.complete = choice.flag
  const merged = choice.number % 11 === 10 ? { indexEnd: file.next++ } : {}
  note(task, file)
  if (index === 0) file.bytes = Buffer.alloc(0)
  const chunk = file.base64 ? Buffer.from(choice.bytes) : Buffer.from(choice.text)
  file.bytes = Buffer.concat([file.bytes, chunk])
  const first = index === 0 && {
    name: choice.text,
    description: choice.text,
    mimeType: 'text/markdown',
    ...((file.base64 || choice.number % 4 === 0) && {
      encoding: file.base64 ? ('base64' as const) : ('utf-8' as const),
    }),
    metadata: { ...choice.json, toolCallId: 'call-0', ...(file.complete && { totalSize: chunk.length }) },
  }
  const digest = `sha-256:${createHash('sha256').update(file.bytes).digest('hex')}`
  const last = file.complete && { version: file.version, digest }
  const data = file.base64 ? chunk.toString('base64') : choice.text
  agent.emit(
    task,
    {
      kind: 'file-write',
      artifactId,
      data,
      index,
      ...merged,
      complete: file.complete,
      ...(choice.number % 3 > 0 && first),
      ...(index === 0 && file.base64 && { encoding: 'base64' as const }),
      ...(choice.number % 2 === 0 && last),
    },
    choice,
  )
}

export const writeData: Move = (agent, task, choice) => {
  const [artifactId, data] = openArtifact(agent, task, 'data', choice)
  const isFirst = data.version === 0
  const versions = choice.number % 2 === 0 ? { version: data.version + 1 } : {}
  const expected = choice.number % 4 === 0 && !isFirst ? { expectedVersion: data.version } : {}
  data.complete = true
  note(task, data)
  const first = isFirst &&
    choice.number % 3 > 0 && { name: choice.text, description: choice.text, metadata: choice.json }
  agent.emit(
    task,
    { kind: 'data-write', artifactId, data: choice.json, ...first, ...versions, ...expected },
    choice,
  )
}

export const writeRows: Move = (agent, task, choice) => {
  writeBatch(agent, task, choice, openArtifact(agent, task, 'dataset', choice))
}

/** Completes what a task is writing. */
export function completeWrites(agent: Agent, task: Task, choice: Choice): void {
  for (const one of [...task.artifacts]) {
    if (one[1].pendingBy !== task.id) continue
    const write = one[1].type === 'file' ? writeChunk : writeBatch
    write(agent, task, { ...choice, flag: true }, one)
  }
}

/** Writes the next rows of a dataset. */
function writeBatch(
  agent: Agent,
  task: Task,
  choice: Choice,
  [artifactId, dataset]: readonly [id: string, artifact: Artifact],
): void {
  const index = dataset.next++
  dataset.complete = choice.flag
  note(task, dataset)
  const first = index === 0 && {
    name: choice.text,
    schema: { type: 'object' },
    metadata: { ...choice.json, ...(choice.flag && { totalRows: choice.number % 3 }), batchSize: 2 },
  }
  const rows = Array.from({ length: choice.number % 3 }, (_, row) => ({ row, ...choice.json }))
  const { complete } = dataset
  agent.emit(
    task,
    { kind: 'dataset-write', artifactId, rows, index, complete, ...(choice.number % 2 === 0 && first) },
    choice,
  )
}

export const changeArtifact: Move = (agent, task, choice) => {
  const complete = knownArtifacts(agent, task).filter(([, { complete, base64 }]) => complete && !base64)
  if (complete.length === 0) {
    writeData(agent, task, choice)
    return
  }
  const [artifactId, artifact] = choose(complete, choice)
  task.artifacts.set(artifactId, artifact)
  const baseVersion = artifact.version
  note(task, artifact)
  const patch = [{ op: 'add' as const, path: '/added', value: choice.json }]
  const mergePatch =
    choice.number % 2 === 0 ? { added: choice.json } : { added: [choice.text], '/old~': null }
  const changes = {
    file: { type: 'text-append', text: choice.text } as const,
    dataset: { type: 'rows-append', rows: [choice.json] } as const,
    data: choice.flag
      ? ({ type: 'json-patch', patch } as const)
      : ({ type: 'merge-patch', patch: mergePatch } as const),
  }
  const change = structuredClone(changes[artifact.type])
  agent.emit(
    task,
    { kind: 'artifact-delta', artifactId, baseVersion, version: artifact.version, change } as Bare,
    choice,
  )
}
