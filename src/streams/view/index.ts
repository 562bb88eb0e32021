/** Folding events into a view, and closing what a crashed agent left open. */

export {
  type ArtifactContent,
  type ArtifactMetadata,
  type ArtifactVersion,
  type ArtifactView,
  type DataRecord,
  type DatasetRows,
  type FileBytes,
  type FileText,
  type PendingVersion,
  rowsOf,
} from './artifact.ts'
export { type CloseOptions, closeDangling } from './close-open.ts'
export type {
  ArtifactPart,
  AuthPart,
  ErrorPart,
  InputPart,
  PartView,
  StreamedText,
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
  type OpenItems,
  partsOf,
  type TaskCreation,
  type TaskOutcome,
  type TaskView,
  taskOf,
  tasksOf,
  type View,
  type ViewDiagnostic,
  type ViewDiagnosticCode,
} from './view.ts'
