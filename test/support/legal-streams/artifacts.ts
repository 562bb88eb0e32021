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
  for (const [id, known] of task.artifacts) {
    if (known.type === type && (type === 'data' ? choice.flag : !known.complete)) return [id, known]
  }
  const id = agent.id(type)
  const opened: Artifact = {
    type,
    base64: choice.number % 2 === 1,
    next: 0,
    complete: false,
    version: 0,
    bytes: Buffer.alloc(0),
  }
  task.artifacts.set(id, opened)
  return [id, opened]
}

export const writeFile: Move = (agent, task, choice) => {
  const [artifactId, file] = openArtifact(agent, task, 'file', choice)
  const index = file.next++
  file.complete = choice.flag
  const merged = choice.number % 11 === 10 ? { indexEnd: file.next++ } : {}
  if (file.complete) file.version = 1
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
  const last = file.complete && { version: 1, digest }
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
  data.version += 1
  data.complete = true
  const first = isFirst &&
    choice.number % 3 > 0 && { name: choice.text, description: choice.text, metadata: choice.json }
  agent.emit(
    task,
    { kind: 'data-write', artifactId, data: choice.json, ...first, ...versions, ...expected },
    choice,
  )
}

export const writeRows: Move = (agent, task, choice) => {
  const [artifactId, dataset] = openArtifact(agent, task, 'dataset', choice)
  const index = dataset.next++
  dataset.complete = choice.flag
  if (dataset.complete) dataset.version = 1
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
  const complete = [...task.artifacts].filter(([, artifact]) => artifact.complete)
  if (complete.length === 0) {
    writeData(agent, task, choice)
    return
  }
  const [artifactId, artifact] = choose(complete, choice)
  const baseVersion = artifact.version++
  const patch = [{ op: 'add' as const, path: '/added', value: choice.json }]
  const changes = {
    file: { type: 'text-append', text: choice.text } as const,
    dataset: { type: 'rows-append', rows: [choice.json] } as const,
    data: choice.flag
      ? ({ type: 'json-patch', patch } as const)
      : ({ type: 'merge-patch', patch: { added: choice.json } } as const),
  }
  const change = structuredClone(changes[artifact.type])
  agent.emit(
    task,
    { kind: 'artifact-delta', artifactId, baseVersion, version: artifact.version, change } as Bare,
    choice,
  )
}
