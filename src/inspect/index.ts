/** Reading recordings of streams of any supported format: for the command line and the viewer. */

export { type Detection, detectDialect } from './detect/detect.ts'
export { type Dialect, dialects, dialectTitles } from './dialects.ts'
export { UNKNOWN_TIME } from './read/event-reader.ts'
export { isValue, type RecordingReader, recordingReader } from './recording/reader.ts'
export type { Recorded, RecordedValue } from './recording/recorded.ts'
export { runTimeOf } from './report/call-list.ts'
export { inspectRecording, recordingInspector } from './report/inspector.ts'
export type { Report, TaskReport } from './report/report.ts'
export { type TimelineEntry, timeline } from './report/timeline.ts'
