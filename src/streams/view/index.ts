/** The view: the current state of all tasks and artifacts of a stream. */

export type { OpenRequest } from '../open-request.ts'
export type {
  ArtifactContent,
  ArtifactVersion,
  ArtifactView,
  PendingVersion,
} from './artifact.ts'
export { openRequests } from './open-requests.ts'
export type {
  ArtifactPart,
  AuthPart,
  CustomPart,
  ErrorPart,
  InputPart,
  PartView,
  SubtaskPart,
  TextPart,
  ThoughtPart,
  ToolApproval,
  ToolPart,
} from './parts.ts'
export {
  artifactOf,
  emptyView,
  type TaskView,
  taskOf,
  type View,
  type ViewDiagnostic,
} from './view.ts'
