/** An event as the reader of a message may see it. */

import type { ContextAnyEvent } from '../../../events/event.ts'
import { projectionOf } from '../../../streams/access/projection.ts'
import { defaultViewer, type Viewer } from '../../../streams/access/viewer.ts'

/** The event as a viewer may see it; `undefined` if it is hidden. */
export function shownEvent(
  event: ContextAnyEvent,
  viewer: Viewer = defaultViewer,
): ContextAnyEvent | undefined {
  return projectionOf(viewer)(event)
}
