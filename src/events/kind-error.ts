/** The error for a kind that does not exist. */
import { listOf, mismatch } from '../core/require.ts'
import { eventKinds } from './kinds.ts'

/** The error for a kind that does not exist: names those that look most like it. */
export function unknownKind(name: string, value: unknown, orElse = ''): TypeError {
  return mismatch(name, `an event kind such as ${listOf(similarKinds(value), 'or')}${orElse}`, value)
}

/** The kinds that share most pairs of letters with a value. */
function similarKinds(value: unknown): readonly string[] {
  const pairs = pairsOf(String(typeof value === 'string' ? value : 'content-delta').slice(0, 64))
  const shared = eventKinds.map((kind) => {
    const own = pairsOf(kind)
    return { kind, share: own.filter((pair) => pairs.includes(pair)).length / (own.length + pairs.length) }
  })
  return shared
    .sort((a, b) => b.share - a.share)
    .slice(0, 3)
    .map(({ kind }) => kind)
}

function pairsOf(text: string): readonly string[] {
  const letters = text.toLowerCase().replace(/[^a-z]/g, '')
  return Array.from(letters, (_, i) => letters.slice(i, i + 2)).slice(0, -1)
}
