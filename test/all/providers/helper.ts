/** What the helper of an SDK is: it reads a stream from a server on this computer, and assembles the response. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Skipped } from '../step.ts'

/** A response, as far as the helper assembles it. Omitted: the helper has no such field. */
export interface Answer {
  readonly text: string
  readonly thoughts?: string
  readonly signatures?: readonly string[]
  /** The id, unless the provider states none, the name and the arguments of each call. */
  readonly calls: readonly (readonly [id: string | undefined, name: string, args: unknown])[]
  readonly finishReason: string | undefined
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
}

export interface Helper {
  /** The helper, and its package. */
  readonly name: string
  /** The body that the server sends. */
  readonly bodyOf: (chunks: readonly unknown[]) => Promise<Uint8Array>
  /** Reads from the server. Rejects if the helper throws. `chunks` are what the SDK yields, if they are not the parsed ones. */
  readonly read: (url: string) => Promise<{ readonly answer: Answer; readonly chunks?: readonly unknown[] }>
}

/** Values of packages whose types are not installed, or that the helper declares too narrowly. */
// biome-ignore lint/suspicious/noExplicitAny: the packages are installed only for this check
export type Untyped = any

/** The body of a stream of server-sent events. */
export const sse = async (chunks: readonly unknown[]): Promise<Uint8Array> => {
  const messages = chunks.map((chunk) => {
    const { type } = chunk as { type?: string }
    return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(chunk)}\n\n`
  })
  return new TextEncoder().encode(messages.join(''))
}

/** The sum of counts. `undefined` if there is none. */
export const sum = (...counts: readonly (number | null | undefined)[]): number | undefined =>
  counts.every((count) => count == null)
    ? undefined
    : counts.reduce<number>((all, one) => all + (one ?? 0), 0)

/** The arguments of a call. `undefined` if they are not JSON. */
export const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json || '{}') as unknown
  } catch {
    return undefined
  }
}

/** A package that is installed beside this file. */
export async function installed(name: string): Promise<Untyped> {
  const modules = new URL('node_modules', import.meta.url)
  if (!existsSync(modules)) throw new Skipped('SDKs are missing: run `npm install` in test/all/providers')
  return import(String(pathToFileURL(createRequire(import.meta.url).resolve(name))))
}
