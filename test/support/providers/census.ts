// Which leaves of a stream a reader uses: a leaf is used if what is read is another without it, or with another value.

import { type Diagnostic, type EventDraft, run } from 'turnstream'
import { modelTurn } from 'turnstream/providers'
import type { Provider } from './agent-loop.ts'
import { isLeftOut } from './left-out.ts'
import { pathsOf, withValue } from './mutations.ts'

/** The readers by the names of the examples. */
export const readerNames: Readonly<Record<string, string>> = {
  anthropic: 'anthropicMessages',
  bedrock: 'bedrockConverse',
  cohere: 'cohereChat',
  gemini: 'geminiContent',
  interactions: 'geminiInteractions',
  ollama: 'ollamaChat',
  openai: 'openaiChat',
  responses: 'openaiResponses',
}

/** The leaves that reach nothing and are in no list. */
export function lostLeaves(reader: string, create: () => Provider, chunks: readonly unknown[]): string[] {
  return unusedLeaves(create, chunks).filter((leaf) => !isLeftOut(readerNames[reader] ?? '', leaf))
}

/** So many places of a leaf are tried before it counts as unused: the first, the last, and one between. */
const PLACES = 3

/** Leaves that have no effect, by their path without the numbers of lists, such as `choices/*` + `/logprobs`. */
function unusedLeaves(create: () => Provider, chunks: readonly unknown[]): string[] {
  const places = new Map<string, { at: number; path: readonly string[]; value: unknown }[]>()
  for (const [at, chunk] of chunks.entries()) {
    for (const path of pathsOf(chunk)) {
      const value = path.reduce<unknown>((of, name) => (of as Record<string, unknown>)[name], chunk)
      if (isStated(value))
        places.set(nameOf(path), [...(places.get(nameOf(path)) ?? []), { at, path, value }])
    }
  }
  const before = readText(create(), chunks)
  const reported = before.diagnostics.flatMap(({ path }) => (path ? [nameOf(path.slice(1).split('/'))] : []))
  const isUsed = ({ at, path, value }: { at: number; path: readonly string[]; value: unknown }): boolean =>
    [undefined, otherThan(value)].some(
      (next) => readText(create(), chunks.with(at, withValue(chunks[at], path, next))).text !== before.text,
    )
  return [...places]
    .filter(([name, all]) => {
      if (reported.some((path) => name === path || name.startsWith(`${path}/`))) return false
      const tried = [...new Set([0, all.length - 1, all.length >> 1])].slice(0, PLACES)
      return !tried.some((i) => isUsed(all[i] as (typeof all)[number]))
    })
    .map(([name]) => name)
}

/** Whether a value is a leaf that states something. */
function isStated(value: unknown): boolean {
  if (typeof value === 'object') return false
  return value !== '' && value !== false && value !== 0
}

function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  return typeof value === 'boolean' ? !value : `${String(value)}x`
}

const nameOf = (path: readonly string[]): string =>
  path.map((name) => (/^\d+$/.test(name) ? '*' : name.replaceAll('~1', '/'))).join('/')

function readText(
  machine: Provider,
  chunks: readonly unknown[],
): { text: string; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const drafts: EventDraft[] = []
  const reader = run(machine, { onDiagnostic: (one) => diagnostics.push(one) })
  for (const chunk of chunks) drafts.push(...reader.push(chunk))
  drafts.push(...reader.end())
  return { text: JSON.stringify([drafts, diagnostics, modelTurn(reader.state)]), diagnostics }
}
