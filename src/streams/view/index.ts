/** The view: the current state of all tasks and artifacts of a stream. */

export type {
  ArtifactContent,
  ArtifactVersion,
  ArtifactView,
  PendingVersion,
} from './artifact.ts'
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
