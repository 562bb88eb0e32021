/** The view: the current state of all tasks and artifacts of a stream. */

export {
  type ArtifactContent,
  type ArtifactVersion,
  type ArtifactView,
  rowsOf,
} from './artifact.ts'
export { type CloseOptions, closeDangling } from './close-dangling.ts'
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
export { foldEvent } from './reduce.ts'
export {
  artifactOf,
  artifactsOf,
  emptyView,
  partsOf,
  type TaskView,
  taskOf,
  tasksOf,
  type View,
  type ViewDiagnostic,
} from './view.ts'
