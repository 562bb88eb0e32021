/** What a view must be. */
import { requireArray, requireObject } from '../../core/require.ts'
import type { View } from './view.ts'

/** @throws TypeError if the value has no tasks or no artifacts. */
export function requireView(view: unknown): void {
  requireObject('view', view)
  const { tasks, artifacts } = view as Partial<View>
  requireArray('view.tasks', tasks)
  requireArray('view.artifacts', artifacts)
}
