/** Readers: viewers, or those that may see everything. */
import type { Diagnostic } from '../../core/machine.ts'
import { mismatch, optional, requireFunction } from '../../core/require.ts'
import { hiddenFieldReporter } from './hidden-fields.ts'
import { type Projection, projectionOf } from './projection.ts'
import { requireViewer } from './require-viewer.ts'
import { defaultViewer, type Viewer } from './viewer.ts'

/** Requires a viewer or `'all'`. */
export function requireReader(
  name: string,
  viewer: Viewer | 'all' | undefined,
): asserts viewer is Viewer | 'all' {
  if (viewer === 'all') return
  if (Object(viewer) !== viewer)
    throw mismatch(name, 'a viewer such as { audience: "user" }, or "all"', viewer)
  requireViewer(name, viewer)
}

/**
 * The viewer that options state, or a user if they state none. One that they state as `undefined` is not replaced, as it was
 * looked up and not found.
 */
export function viewerIn<V>(options: { readonly viewer?: V }): V | Viewer | undefined {
  return 'viewer' in options ? options.viewer : defaultViewer
}

const operator: Viewer = { audience: 'operator' }

/** Made once: one event alone is encoded in less time than a projection is made. */
const ofOperators = projectionOf(operator)

/**
 * The projection for those who may read what is written. One that may see everything sees what operators do: also for these,
 * an event is checked.
 *
 * @throws TypeError if `viewer` is missing or invalid, or `onDiagnostic` is not a function.
 */
export function projectionFor(
  viewer: Viewer | 'all' | undefined,
  onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined,
): Projection {
  optional(requireFunction, 'onDiagnostic', onDiagnostic)
  requireReader('viewer', viewer)
  if (viewer === 'all' && !onDiagnostic) return ofOperators
  return projectionOf(viewer === 'all' ? operator : viewer, {
    onHidden: onDiagnostic && hiddenFieldReporter(onDiagnostic),
  })
}
