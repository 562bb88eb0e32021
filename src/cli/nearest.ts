/** Suggestions for names that do not exist. */

/** The most similar of some names; `undefined` if none is similar enough to be meant. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3))
  let best: { readonly name: string; readonly edits: number } | undefined
  for (const other of names) {
    const edits = editsBetween(name, other)
    if (edits <= limit && (best === undefined || edits < best.edits)) best = { name: other, edits }
  }
  // The beginning of a name is meant, however short.
  return best?.name ?? (name.length > 2 ? names.find((other) => other.startsWith(name)) : undefined)
}

/** How many characters have to be inserted, removed or replaced. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
