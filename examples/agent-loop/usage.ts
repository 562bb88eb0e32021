/** The tokens of a task. */
import type { Usage } from 'turnstream'

/** Adds the tokens of a response to those of the task: one entry for each model. */
export function addUsage(total: Usage[], usage: Usage | undefined): void {
  const entry = total.find(({ model }) => model === usage?.model)
  if (usage === undefined) return
  if (entry === undefined) total.push({ ...usage })
  else {
    for (const [name, count] of Object.entries(usage)) {
      if (typeof count === 'number') entry[name] = Number(entry[name] ?? 0) + count
    }
  }
}
