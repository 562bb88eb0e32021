/** The events of an artifact, for a snapshot. */

import type { ArtifactChange } from '../../../events/artifact-change.ts'
import type { Audience } from '../../access/audience.ts'
import type { ArtifactContent, ArtifactView } from '../artifact.ts'
import { isSameAudience } from '../audience-label.ts'
import type { ArtifactPart } from '../parts.ts'
import type { TaskWriter, Untimed } from './task-writer.ts'

/** A task that wrote to the artifact, and its part. */
export interface ArtifactWriter {
  readonly writer: TaskWriter
  readonly part: ArtifactPart
}

/**
 * Writes one artifact. Each task that wrote to it writes at the place of its part; the last of these writes gives the
 * artifact its content, those before it are empty. If another task must be the last to write, it writes
 * once more.
 */
export class ArtifactSerializer {
  readonly #artifact: ArtifactView
  readonly #writers: readonly ArtifactWriter[]
  /** Whether each task writes with a label of its own. */
  readonly #isExact: boolean
  /** Who commits the current version, who writes the pending one, and who wrote last. */
  readonly #committer: ArtifactWriter | undefined
  readonly #pending: ArtifactWriter | undefined
  readonly #last: ArtifactWriter
  /** Who begins to write the content. */
  readonly #main: ArtifactWriter
  #written = 0
  /** The index of the next chunk; 0 if no version is being written. */
  #nextIndex = 0
  /** The version of the next empty write. */
  #nextVersion: number
  #isDescribed = false

  /** @param writers - In the order of their parts; at least one. */
  constructor(
    artifact: ArtifactView,
    writers: readonly [ArtifactWriter, ...ArtifactWriter[]],
    isExact: boolean,
  ) {
    this.#isExact = isExact
    const { committed, pending, type } = artifact
    const of = (taskId: string): ArtifactWriter =>
      writers.find(({ writer }) => writer.task.taskId === taskId) ?? writers[0]
    const completed = writers.filter(({ part }) => part.status === 'complete')
    this.#artifact = artifact
    this.#writers = writers
    this.#last = of(artifact.taskId)
    this.#pending = pending && of(pending.taskId)
    if (committed !== undefined) {
      const others = pending === undefined ? [this.#last, ...completed] : [...completed, this.#last]
      this.#committer = others.find(({ part }) => part.status === 'complete') ?? this.#last
    }
    this.#main = this.#committer ?? this.#last
    const isMainLast = writers.at(-1) === this.#main
    const committers = writers.filter((one) => one !== this.#main && this.#hasCommitted(one))
    const before = type === 'data' ? writers.length - (isMainLast ? 1 : 0) : committers.length
    this.#nextVersion = this.#committedVersion - before
  }

  /** Writes at the place of the part of a task. */
  write(at: ArtifactWriter): void {
    const isLast = ++this.#written === this.#writers.length
    const { at: timestamp, audience } = at.part
    const hasContent = this.#committer !== undefined || this.#pending !== undefined
    if (isLast && hasContent && at === this.#main) {
      const begun = at.writer.part({ at: timestamp, audience: this.#labelOf(at) })
      this.#writeContent((task) => (task === at ? begun : this.#writeOf(task)))
      return
    }
    this.#writeEmpty(at, at.writer.part({ at: timestamp, audience }))
    if (isLast) this.#writeContent((task) => this.#writeOf(task))
  }

  /** How a task continues to write: shown to those who may see the artifact. */
  #writeOf(task: ArtifactWriter): (event: Untimed) => void {
    const { writer, part } = task
    return (event) => writer.write(event, this.#labelOf(task), writer.after(part.at))
  }

  /** The label of the content that a task writes. */
  #labelOf({ part }: ArtifactWriter): readonly Audience[] | undefined {
    return this.#isExact ? part.audience : this.#artifact.audience
  }

  #writeEmpty(at: ArtifactWriter, write: (event: Untimed) => void): void {
    const { committed, pending, type, audience } = this.#artifact
    const isShown = this.#isExact || isSameAudience(at.part.audience, audience)
    if (type === 'data') {
      write(this.#record({}, this.#takeVersion(), isShown))
      return
    }
    const content = emptyLike(committed?.content ?? pending?.content, type)
    const isComplete = at !== this.#main && this.#hasCommitted(at)
    if (isComplete) write(this.#chunk(content, isShown, { version: this.#takeVersion() }))
    if (!isComplete || at.part.status === 'ended') write(this.#chunk(content, isShown))
  }

  /** Whether a task is known to have completed a version: its last write was complete, or is part of its result. */
  #hasCommitted({ writer, part }: ArtifactWriter): boolean {
    const { committed, artifactId } = this.#artifact
    if (committed === undefined) return false
    return part.status === 'complete' || writer.task.result?.artifacts?.includes(artifactId) === true
  }

  /** Writes the content. Its first event is not written by `at`, but by the function for the task. */
  #writeContent(writeOf: (task: ArtifactWriter) => (event: Untimed) => void): void {
    const { committed, pending, type, artifactId } = this.#artifact
    const last = this.#last
    if (committed !== undefined && this.#committer !== undefined) {
      const { content, digest } = committed
      const version = this.#committedVersion
      const write = writeOf(this.#committer)
      if (content.type === 'data') write(this.#record(content.data, version, true))
      else {
        if (!this.#isDescribed && this.#nextIndex > 0) {
          write(this.#chunk(emptyLike(content, type), false, { version: this.#takeVersion() }))
        }
        write(this.#chunk(content, true, { version, ...(digest === undefined ? {} : { digest }) }))
      }
    }
    if (pending !== undefined && this.#pending !== undefined) {
      this.#writePending(writeOf(this.#pending))
      if (last === this.#pending || committed === undefined) return
      const change: ArtifactChange =
        committed.content.type === 'text'
          ? { type: 'text-append', text: '' }
          : { type: 'rows-append', rows: [] }
      const baseVersion = this.#committedVersion
      writeOf(last)({ kind: 'artifact-delta', artifactId, baseVersion, version: baseVersion + 1, change })
    } else if (type !== 'data' && (this.#committer ?? this.#writers.at(-1)) !== last) {
      writeOf(last)(this.#chunk(emptyLike(committed?.content, type), false))
    } else if (type !== 'data' && this.#committer === last && last.part.status === 'ended') {
      writeOf(last)(this.#chunk(emptyLike(committed?.content, type), false))
    }
  }

  /** Writes what has arrived of the pending version, up to its next index. */
  #writePending(write: (event: Untimed) => void): void {
    const { pending, type } = this.#artifact
    if (pending === undefined) return
    const { content, nextIndex, fault, version } = pending
    const given = { ...(version === undefined ? {} : { version }), complete: false }
    const last = nextIndex - 1
    // The next chunk must have the next index, even if that means to begin again.
    if (this.#nextIndex > last || fault !== undefined) this.#nextIndex = 0
    if (fault === undefined) {
      write(this.#chunk(content, true, { ...given, indexEnd: last }))
      return
    }
    // Folding finds the fault again: the last chunk comes too early, or is not Base64.
    const isGap = fault === 'gap'
    if (last > (isGap ? 1 : 0))
      write(this.#chunk(content, true, { ...given, indexEnd: isGap ? 0 : last - 1 }))
    this.#nextIndex = last
    write(this.#chunk(isGap ? emptyLike(content, type) : NOT_BASE64, true, given))
  }

  /** The current version; the one before it if an empty change follows. */
  get #committedVersion(): number {
    const { committed } = this.#artifact
    if (committed === undefined) return 0
    const isChangedLast = this.#pending !== undefined && this.#pending !== this.#last
    return committed.version - (isChangedLast ? 1 : 0)
  }

  #takeVersion(): number {
    return Math.max(0, this.#nextVersion++)
  }

  /** What describes the artifact, in the first event that all who may see the artifact see. */
  #description(isShown: boolean): object {
    if (this.#isDescribed || !isShown) return {}
    this.#isDescribed = true
    const { name, description, mimeType, schema, metadata } = this.#artifact
    return {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(mimeType === undefined ? {} : { mimeType }),
      ...(schema === undefined ? {} : { schema }),
      ...(metadata === undefined ? {} : { metadata }),
    }
  }

  #record(data: Record<string, unknown>, version: number, isShown: boolean): Untimed {
    const { artifactId } = this.#artifact
    return { kind: 'data-write', artifactId, data, version, ...this.#description(isShown) }
  }

  /** The next chunk. With a version, and unless stated otherwise, it is the last one. */
  #chunk(
    content: Exclude<ArtifactContent, { type: 'data' }>,
    isShown: boolean,
    end: { version?: number; digest?: string; complete?: boolean; indexEnd?: number } = {},
  ): Untimed {
    const { artifactId } = this.#artifact
    const { complete = end.version !== undefined, indexEnd = 0, ...given } = end
    const index = this.#nextIndex
    this.#nextIndex = complete ? 0 : Math.max(index, indexEnd) + 1
    const chunk = {
      artifactId,
      index,
      ...(indexEnd > index ? { indexEnd } : {}),
      complete,
      ...given,
      ...this.#description(isShown),
    }
    if (content.type === 'rows') return { kind: 'dataset-write', ...chunk, rows: [...content.rows] }
    if (content.type === 'text') return { kind: 'file-write', ...chunk, data: content.text }
    return { kind: 'file-write', ...chunk, data: content.base64 + (content.rest ?? ''), encoding: 'base64' }
  }
}

const NOT_BASE64 = { type: 'bytes', base64: '?' } as const

/** No content, of a type. */
function emptyLike(
  content: ArtifactContent | undefined,
  type: ArtifactView['type'],
): Exclude<ArtifactContent, { type: 'data' }> {
  if (type === 'dataset') return { type: 'rows', rows: [] }
  return content?.type === 'bytes' ? { type: 'bytes', base64: '' } : { type: 'text', text: '' }
}
