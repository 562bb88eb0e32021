/** Readers: viewers, or those that may see everything. */
import { mismatch } from '../../core/require.ts'
import { type Projection, type ProjectionOptions, projectionOf } from './projection.ts'
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

/** What a reader that was checked before may see of events. */
export function projectionFor(viewer: Viewer | 'all', options?: ProjectionOptions): Projection {
  return viewer === 'all' ? (event) => event : projectionOf(viewer, options)
}
