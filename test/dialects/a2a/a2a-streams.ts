/** Random valid streams of A2A, as agents and servers of both versions send them, and the tasks they lead to. */

import fc from 'fast-check'
import type { A2aVersion } from '../../../src/dialects/a2a/wire/version.ts'

type Json = Readonly<Record<string, unknown>>

/** A part, independent of the version. */
interface PartModel {
  readonly content: { text: string } | { raw: string } | { url: string } | { data: unknown }
  readonly filename?: string
  readonly mediaType?: string
  readonly metadata?: Json
}

interface MessageModel {
  readonly messageId: string
  readonly role: 'user' | 'agent'
  readonly parts: readonly PartModel[]
  readonly extras: Json
}

interface ArtifactModel {
  readonly artifactId: string
  readonly parts: readonly PartModel[]
  readonly extras: Json
}

type Update =
  | {
      readonly type: 'artifact'
      readonly artifact: ArtifactModel
      readonly append: boolean
      readonly last: boolean
      readonly metadata?: Json
    }
  | {
      readonly type: 'status'
      readonly state: string
      readonly message?: MessageModel
      readonly metadata?: Json
    }

/** A stream, and what it leads to. */
export interface A2aStream {
  /** The items: the task, then updates until the task has ended. */
  readonly items: readonly unknown[]
  /** The task as a server stores it after each item. */
  readonly tasks: readonly unknown[]
}

/** How a stream is generated. */
export interface StreamOptions {
  /** Whether objects have metadata, extensions and other fields besides their content. Defaults to `true`. */
  readonly extras?: boolean
  /** Whether text is sent whole again once it has grown. Defaults to `true`. */
  readonly growing?: boolean
}

/** Random streams of a version. */
export function a2aStreams(version: A2aVersion, options: StreamOptions = {}): fc.Arbitrary<A2aStream> {
  return fc
    .array(fc.nat(), { minLength: 40, maxLength: 200 })
    .map((choices) => render(version, new Script(choices, options)))
}

/** Makes a stream from a list of choices. Every text in it is different, so that none can stand for another. */
class Script {
  readonly #choices: readonly number[]
  readonly #options: StreamOptions
  #at = 0
  #count = 0

  constructor(choices: readonly number[], options: StreamOptions) {
    this.#choices = choices
    this.#options = options
  }

  get isOver(): boolean {
    return this.#at >= this.#choices.length
  }

  choose(below: number): number {
    return (this.#choices[this.#at++] ?? 0) % below
  }

  /** A text that no other value of the stream contains. */
  text(prefix: string): string {
    return `${prefix}-${++this.#count}.`
  }

  extra(name: string): Json {
    if (this.#options.extras === false || this.choose(4) > 0) return {}
    // The last one is the key under which a reader keeps what events have no field for.
    const key = ['k0', 'k1', 'k2', 'a2a'][this.choose(4)] as string
    const value = { [key]: this.text(name) }
    return {
      [name]:
        name === 'extensions'
          ? [this.text('urn:x')]
          : name === 'referenceTaskIds'
            ? [this.text('task')]
            : value,
    }
  }

  word(name: string): Json {
    return this.#options.extras === false || this.choose(3) > 0 ? {} : { [name]: this.text(name) }
  }

  part(type = this.choose(6)): PartModel {
    const content = [
      { text: this.text('text') },
      { text: this.text('text') },
      { raw: Buffer.from(this.text('bytes')).toString('base64') },
      { url: `https://files.example/${this.text('file')}` },
      { data: { [this.text('key')]: this.text('value') } },
      { data: [{ n: this.text('row') }] },
    ][type] as PartModel['content']
    const isFile = type === 2 || type === 3
    const named =
      isFile && this.choose(2) === 0 ? { filename: this.text('name'), mediaType: 'image/png' } : {}
    return { content, ...named, ...this.extra('metadata') }
  }

  parts(max: number): PartModel[] {
    return Array.from({ length: 1 + this.choose(max) }, () => this.part())
  }

  message(role: 'user' | 'agent' = 'agent'): MessageModel {
    const extras = {
      ...this.extra('metadata'),
      ...this.extra('extensions'),
      ...this.extra('referenceTaskIds'),
    }
    return { messageId: this.text('message'), role, parts: this.parts(3), extras }
  }

  update(artifacts: Map<string, ArtifactModel & { sealed: boolean }>): Update | undefined {
    const kind = this.choose(10)
    if (kind < 2) {
      return {
        type: 'status',
        state: 'working',
        ...(this.choose(3) > 0 && { message: this.message() }),
        ...this.extra('metadata'),
      }
    }
    if (kind === 2) {
      const state = this.choose(2) === 0 ? 'input-required' : 'auth-required'
      return { type: 'status', state, message: this.message(), ...this.extra('metadata') }
    }
    // The last one is the id that a writer gives to the text of the task.
    const artifactId = ['artifact-0', 'artifact-1', 'artifact-2', 't:content'][this.choose(4)] as string
    const known = artifacts.get(artifactId)
    const last = this.choose(4) === 0
    const isText = known?.parts.every((part) => 'text' in part.content)
    if (known !== undefined && !known.sealed && isText && known.parts.length === 1 && this.#isGrowing()) {
      // Text that is sent whole again, and has grown.
      const [first] = known.parts as [PartModel & { content: { text: string } }]
      const part = { ...first, content: { text: first.content.text + this.text('more') } }
      return { type: 'artifact', artifact: { artifactId, parts: [part], extras: {} }, append: false, last }
    }
    const extras =
      known === undefined
        ? {
            ...this.word('name'),
            ...this.word('description'),
            ...this.extra('metadata'),
            ...this.extra('extensions'),
          }
        : {}
    const artifact = { artifactId, parts: this.parts(3), extras }
    return { type: 'artifact', artifact, append: known !== undefined, last, ...this.extra('metadata') }
  }

  #isGrowing(): boolean {
    return this.#options.growing !== false && this.choose(3) === 0
  }

  end(): Update {
    const state = ['completed', 'completed', 'failed', 'canceled', 'rejected'][this.choose(5)] as string
    return {
      type: 'status',
      state,
      ...(this.choose(2) === 0 && { message: this.message() }),
      ...this.extra('metadata'),
    }
  }
}

function render(version: A2aVersion, script: Script): A2aStream {
  const wire = version === '0.3' ? v03 : v1
  const artifacts = new Map<string, ArtifactModel & { sealed: boolean }>()
  const history: MessageModel[] =
    script.choose(2) === 0 ? [{ ...script.message('user'), parts: [script.part(0)] }] : []
  const request = history[0]
  let status: { state: string; message?: MessageModel } = { state: 'submitted' }
  let { metadata } = script.extra('metadata') as { metadata?: Json }
  const task = (): unknown =>
    wire.task({
      id: 't',
      contextId: 'c',
      status: wire.status(status),
      ...(artifacts.size > 0 && { artifacts: [...artifacts.values()].map(wire.artifact) }),
      ...(history.length > 0 && { history: history.map(wire.message) }),
      ...(metadata !== undefined && { metadata }),
    })
  const items: unknown[] = [task()]
  const tasks: unknown[] = [task()]
  const send = (update: Update): void => {
    // As the Python SDK does.
    if (update.metadata !== undefined) metadata = { ...metadata, ...update.metadata }
    if (update.type === 'status') {
      // As the servers do: the message of a status moves to the history.
      if (status.message !== undefined) history.push(status.message)
      status = update
    } else {
      const known = artifacts.get(update.artifact.artifactId)
      const isAppended = update.append && known !== undefined
      const parts = isAppended ? [...known.parts, ...update.artifact.parts] : update.artifact.parts
      const extras = { ...known?.extras, ...update.artifact.extras }
      artifacts.set(update.artifact.artifactId, { ...update.artifact, parts, extras, sealed: update.last })
    }
    items.push(wire.update(update))
    tasks.push(task())
  }
  while (!script.isOver) {
    const update = script.update(artifacts)
    if (update !== undefined) send(update)
  }
  if (request === undefined || items.length > 0) send(script.end())
  return { items, tasks }
}

const ids = { taskId: 't', contextId: 'c' }

const v1 = {
  part: ({ content, ...rest }: PartModel): Json => ({ ...content, ...rest }),
  message: ({ messageId, role, parts, extras }: MessageModel): Json => ({
    messageId,
    role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
    parts: parts.map(v1.part),
    ...ids,
    ...extras,
  }),
  artifact: ({ artifactId, parts, extras }: ArtifactModel): Json => ({
    artifactId,
    parts: parts.map(v1.part),
    ...extras,
  }),
  status: ({ state, message }: { state: string; message?: MessageModel }): Json => ({
    state: `TASK_STATE_${state.toUpperCase().replace('-', '_')}`,
    ...(message !== undefined && { message: v1.message(message) }),
  }),
  task: (task: Json): Json => ({ task }),
  update: (update: Update): Json => {
    const metadata = update.metadata === undefined ? {} : { metadata: update.metadata }
    return update.type === 'status'
      ? { statusUpdate: { ...ids, status: v1.status(update), ...metadata } }
      : {
          artifactUpdate: {
            ...ids,
            artifact: v1.artifact(update.artifact),
            ...(update.append && { append: true }),
            ...(update.last && { lastChunk: true }),
            ...metadata,
          },
        }
  },
}

const v03 = {
  part: ({ content, filename, mediaType, metadata }: PartModel): Json => {
    const extras = metadata === undefined ? {} : { metadata }
    const file = {
      ...(filename !== undefined && { name: filename }),
      ...(mediaType !== undefined && { mimeType: mediaType }),
    }
    if ('text' in content) return { kind: 'text', ...content, ...extras }
    if ('raw' in content) return { kind: 'file', file: { bytes: content.raw, ...file }, ...extras }
    if ('url' in content) return { kind: 'file', file: { uri: content.url, ...file }, ...extras }
    if (!Array.isArray(content.data)) return { kind: 'data', ...content, ...extras }
    return { kind: 'data', data: { value: content.data }, metadata: { ...metadata, data_part_compat: true } }
  },
  message: ({ messageId, role, parts, extras }: MessageModel): Json => ({
    kind: 'message',
    messageId,
    role,
    parts: parts.map(v03.part),
    ...ids,
    ...extras,
  }),
  artifact: ({ artifactId, parts, extras }: ArtifactModel): Json => ({
    artifactId,
    parts: parts.map(v03.part),
    ...extras,
  }),
  status: ({ state, message }: { state: string; message?: MessageModel }): Json => ({
    state,
    ...(message !== undefined && { message: v03.message(message) }),
  }),
  task: (task: Json): Json => ({ kind: 'task', ...task }),
  update: (update: Update): Json => {
    const metadata = update.metadata === undefined ? {} : { metadata: update.metadata }
    return update.type === 'status'
      ? {
          kind: 'status-update',
          ...ids,
          status: v03.status(update),
          final: !['working', 'auth-required'].includes(update.state),
          ...metadata,
        }
      : {
          kind: 'artifact-update',
          ...ids,
          artifact: v03.artifact(update.artifact),
          append: update.append,
          lastChunk: update.last,
          ...metadata,
        }
  },
}
