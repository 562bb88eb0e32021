/** The tokens of a task. */

import type { Usage } from '../events/usage.ts'

/** Adds the tokens of a response to those of the task: one entry for each model of each provider. */
export function addUsage(total: Usage[], usage: Usage | undefined): void {
  if (usage === undefined) return
  const entry = total.find(({ model, provider }) => model === usage.model && provider === usage.provider)
  if (entry === undefined) {
    total.push({ ...usage })
    return
  }
  for (const [name, count] of Object.entries(usage)) {
    if (typeof count === 'number') entry[name] = Number(entry[name] ?? 0) + count
  }
}
