/**
 * A one-line notation of A2A items, the same for both versions, for the expectations in fixtures:
 *
 *     T working "message" (artifact parts…) {metadata} <kinds in the extension>
 *     S completed! "message" {data} <kinds in the extension>          ! the stream ends (0.3: `final`)
 *     A id (name) + . "text" raw:bytes:name:type url:… {data}  + appends, . last chunk
 */
import { a2aExtensionUri } from '../../../src/dialects/a2a/index.ts'
import type { A2aVersion } from '../../../src/dialects/a2a/wire/version.ts'

type Fields = Readonly<Record<string, unknown>>

export function formatItem(version: A2aVersion, item: unknown): string {
  const [name, value] = version === '0.3' ? [(item as Fields).kind, item as Fields] : only(item as Fields)
  switch (name) {
    case 'task':
      return joined([
        `T ${state(version, value.status)}`,
        ...message(version, value.status),
        ...list(value.artifacts).map(
          (artifact) => `(${joined([artifact.artifactId, ...parts(version, artifact)])})`,
        ),
        ...json(value.metadata),
        ...extensionKinds(value.metadata),
      ])
    case 'status-update':
    case 'statusUpdate':
      return joined([
        `S ${state(version, value.status)}${value.final === true ? '!' : ''}`,
        ...message(version, value.status),
        ...extensionKinds(value.metadata),
      ])
    case 'artifact-update':
    case 'artifactUpdate': {
      const artifact = value.artifact as Fields
      return joined([
        `A ${String(artifact.artifactId)}`,
        ...(artifact.name === undefined ? [] : [`(${String(artifact.name)})`]),
        ...(value.append === true ? ['+'] : []),
        ...(value.lastChunk === true ? ['.'] : []),
        ...parts(version, artifact),
        ...extensionKinds(value.metadata),
      ])
    }
    default:
      return `unknown ${JSON.stringify(item)}`
  }
}

function only(value: Fields): [string, Fields] {
  const [entry, second] = Object.entries(value)
  if (entry === undefined || second !== undefined) throw new Error('An item of 1.0 has exactly one member.')
  return entry as [string, Fields]
}

function state(version: A2aVersion, status: unknown): string {
  const name = String((status as Fields).state)
  return version === '0.3' ? name : name.replace('TASK_STATE_', '').toLowerCase().replace('_', '-')
}

function message(version: A2aVersion, status: unknown): string[] {
  const { message: value } = status as Fields
  return value === undefined ? [] : parts(version, value as Fields)
}

function parts(version: A2aVersion, { parts: all }: Fields): string[] {
  return list(all).map((part) => (version === '0.3' ? partV03(part) : partV1(part)))
}

function partV03(part: Fields): string {
  if (part.kind === 'text') return JSON.stringify(part.text)
  if (part.kind === 'file') {
    const { bytes, uri, name, mimeType } = part.file as Fields
    return file(bytes === undefined ? ['url', uri] : ['raw', bytes], name, mimeType)
  }
  const isWrapped = (part.metadata as Fields | undefined)?.data_part_compat === true
  return JSON.stringify(isWrapped ? (part.data as Fields).value : part.data)
}

function partV1(part: Fields): string {
  if ('text' in part) return JSON.stringify(part.text)
  if ('raw' in part) return file(['raw', part.raw], part.filename, part.mediaType)
  if ('url' in part) return file(['url', part.url], part.filename, part.mediaType)
  return JSON.stringify(part.data)
}

function file(content: readonly unknown[], name: unknown, mediaType: unknown): string {
  return [...content, name ?? '', mediaType ?? ''].join(':').replace(/:+$/, '')
}

function json(metadata: unknown): string[] {
  const { [a2aExtensionUri]: _, ...rest } = (metadata ?? {}) as Fields
  return Object.keys(rest).length === 0 ? [] : [JSON.stringify(rest)]
}

function extensionKinds(metadata: unknown): string[] {
  const value = (metadata as Fields | undefined)?.[a2aExtensionUri] as Fields | undefined
  if (value === undefined) return []
  return [
    `<${list(value.events)
      .map(({ kind }) => String(kind))
      .join(',')}>`,
  ]
}

function list(value: unknown): Fields[] {
  return (value ?? []) as Fields[]
}

function joined(all: readonly unknown[]): string {
  return all.join(' ')
}
