/** What a view must be. */
import { requireArray, requireObject } from '../../core/require.ts'

/** @throws TypeError if the value has no tasks, artifacts or diagnostics. */
export function requireView(view: unknown): void {
  requireObject('view', view)
  const { tasks, artifacts, diagnostics } = view as Readonly<Record<string, unknown>>
  requireArray('view.tasks', tasks)
  requireArray('view.artifacts', artifacts)
  requireArray('view.diagnostics', diagnostics)
}
