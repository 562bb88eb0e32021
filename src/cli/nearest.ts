/** Suggestions for names that do not exist. */

/** The most similar of some names, whatever their case; `undefined` if none is similar enough to be meant. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const given = name.toLowerCase()
  const limit = Math.max(1, Math.floor(given.length / 3))
  let best: { readonly name: string; readonly edits: number } | undefined
  for (const other of names) {
    const edits = editsBetween(given, other.toLowerCase())
    if (edits <= limit && (best === undefined || edits < best.edits)) best = { name: other, edits }
  }
  if (best !== undefined) return best.name
  // The beginning of a name is meant, however short.
  const beginning = /^-\w$/.test(given) ? `-${given}` : given
  return beginning.length > 2 ? names.find((other) => other.startsWith(beginning)) : undefined
}

/** A sentence with the most similar of some names, after a space. Empty if none is similar enough. */
export function suggestion(name: string, names: readonly string[]): string {
  const similar = nearest(name, names)
  return similar === undefined ? '' : ` Did you mean ${similar}?`
}

/** How many characters have to be inserted, removed, replaced, or swapped with the next one. */
function editsBetween(a: string, b: string): number {
  let before: readonly number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : replaced
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
