/** The view: the current state of all tasks and artifacts of a stream. */

export type { OpenRequest } from '../open-request.ts'
export type { ArtifactView } from './artifact.ts'
export { openRequests } from './open-requests.ts'
export type { PartView } from './parts.ts'
export { artifactOf, emptyView, type TaskView, taskOf, type View } from './view.ts'
