/** Folding events into a view, and closing what a crashed agent left open. */

export {
  type ArtifactAbout,
  type ArtifactContent,
  type ArtifactVersion,
  type ArtifactView,
  type ArtifactWriting,
  type DataRecord,
  type DatasetRows,
  type FileBytes,
  type FileText,
  rowsOf,
} from './artifact.ts'
export { type CloseOptions, closeOpen } from './close-open.ts'
export type {
  ArtifactPart,
  AuthPart,
  ErrorPart,
  InputPart,
  PartView,
  Streamed,
  SubtaskPart,
  TextPart,
  ThoughtPart,
  ToolPart,
  ToolProgressView,
} from './parts.ts'
export { foldEvent } from './reduce.ts'
export {
  artifactOf,
  artifactsOf,
  emptyView,
  partsOf,
  type TaskOpen,
  type TaskOrigin,
  type TaskReport,
  type TaskView,
  taskOf,
  tasksOf,
  type View,
  type ViewProblem,
  type ViewProblemCode,
} from './view.ts'
