/** Inspecting a recording: what it is, what it holds, and what is wrong. */

import type { ContextAnyEvent } from '../../events/event.ts'
import type { VerifyMode } from '../../rules/rule.ts'
import { isFields } from '../../validation/predicates.ts'
import { type Checker, eventChecker, loadChecker } from '../check/checker.ts'
import { type Finding, severityOf } from '../check/finding.ts'
import { type Detection, detectDialect, SAMPLE } from '../detect/detect.ts'
import { type Dialect, providerDialects } from '../dialects.ts'
import type { CoreOutput, EventReader } from '../read/event-reader.ts'
import { toCoreEvents } from '../read/to-core-events.ts'
import { isValue, type RecordingOptions, recordingReader } from '../recording/reader.ts'
import type { Recorded } from '../recording/recorded.ts'
import { FindingList } from './finding-list.ts'
import type { Report } from './report.ts'
import { depthOf, TaskTree } from './task-tree.ts'
import { totalsOf } from './totals.ts'

/** Options of {@link recordingInspector}. */
export interface InspectOptions extends RecordingOptions {
  /** The format of the recording. Omitted: it is recognized. */
  readonly from?: Dialect
  /** How much is checked. @defaultValue `'standard'` */
  readonly mode?: VerifyMode
  /** Whether texts and arguments are kept up to 16 Ki characters, not only their beginning. @defaultValue `false` */
  readonly full?: boolean
  /**
   * Whether findings include what the events do not show of a recording whose format has rules of its own.
   * @defaultValue `true`
   */
  readonly mapping?: boolean
  /** Called once, with what the recording seems to be, before any event. */
  readonly onDetection?: (detection: Detection) => void
  /** Called with each event in order, its place and how deep its task is. */
  readonly onEvent?: (event: ContextAnyEvent, place: EventPlace) => void
  /** Called with each finding, in order. Values in it may be of any size. */
  readonly onFinding?: (finding: Finding) => void
}

/** Where an event is. */
export interface EventPlace {
  readonly line: number
  /** Its position among the events of the recording, from 0. */
  readonly eventIndex: number
  /** How many tasks are above its task. */
  readonly depth: number
}

/** Inspects a recording chunk by chunk. */
export interface RecordingInspector {
  /** Reads one chunk of bytes or text. Wait for it before the next one. */
  push(chunk: Uint8Array | string): Promise<void>
  /** Ends the recording. */
  end(): Promise<Report>
}

/** After so many values that are no objects, more will not help to recognize the format. */
const MAX_SAMPLE = 1000

/**
 * Creates an inspector. Memory is bounded, whatever the length of the recording.
 *
 * Besides the diagnostics of readers and rules, it reports `unknown-dialect` at the end of a recording of no known format.
 */
export function recordingInspector(options: InspectOptions = {}): RecordingInspector {
  const { from, mode = 'standard', full = false, mapping = true, onDetection, onEvent, onFinding } = options
  const recording = recordingReader(options)
  const tree = new TaskTree(full)
  const findings = new FindingList()
  const kinds = new Map<string, number>()
  let detection: Detection | undefined
  let reader: EventReader | undefined
  let checker: Checker | undefined
  const events = eventChecker(mode)
  let sample: Recorded[] = []
  let sampled = 0
  let values = 0
  let eventCount = 0
  let lastLine = 1

  async function receive(all: readonly Recorded[], isEnd: boolean): Promise<void> {
    let at = 0
    if (detection === undefined) {
      // The same sample, however the recording is cut.
      while (at < all.length && !isEnough()) {
        const recorded = all[at++] as Recorded
        sample.push(recorded)
        if (isValue(recorded) && isFields(recorded.value)) sampled++
      }
      if (!isEnd && !isEnough()) return
      await start()
      const first = sample
      sample = []
      first.forEach(read)
    }
    for (; at < all.length; at++) read(all[at] as Recorded)
  }

  function isEnough(): boolean {
    return from !== undefined || sampled >= SAMPLE || sample.length >= MAX_SAMPLE
  }

  async function start(): Promise<void> {
    detection =
      from === undefined ? detectDialect(sample.filter(isValue)) : { dialect: from, isCertain: true }
    onDetection?.(detection)
    if (detection.dialect === undefined) return
    reader = await toCoreEvents(detection.dialect)
    checker = await loadChecker(detection.dialect, mode)
  }

  function read(recorded: Recorded): void {
    lastLine = recorded.line
    if (!isValue(recorded)) {
      const { code, message } = recorded.diagnostic
      report({ code, severity: severityOf(code), message, line: recorded.line })
      return
    }
    values++
    if (checker !== undefined) checker.push(recorded.value, recorded.line).forEach(report)
    if (reader !== undefined) reader.push(recorded).forEach(readOutput)
  }

  function readOutput(output: CoreOutput): void {
    if ('diagnostic' in output) {
      const { code, message, path } = output.diagnostic
      // The rules of the dialect have found it already.
      if (checker !== undefined && (!mapping || code === 'invalid-event')) return
      const severity = checker === undefined ? severityOf(code) : 'info'
      report({
        code,
        severity,
        message,
        line: output.line,
        ...(path !== undefined && path !== '' && { path }),
      })
      return
    }
    const { event, line } = output
    if (checker === undefined) events.push(event, line).forEach(report)
    kinds.set(event.kind, (kinds.get(event.kind) ?? 0) + 1)
    const task = tree.add(event, line)
    onEvent?.(event, { line, eventIndex: eventCount, depth: depthOf(task) })
    eventCount++
  }

  function report(finding: Finding): void {
    findings.add(finding)
    onFinding?.(finding)
  }

  return {
    push: (chunk) => receive(recording.push(chunk), false),
    async end() {
      await receive(recording.end(), true)
      if (checker !== undefined) checker.end().forEach(report)
      if (reader !== undefined) reader.end().forEach(readOutput)
      // The response of a model is a part of a task: what follows is elsewhere.
      const isWhole = detection?.dialect !== undefined && !providerDialects.has(detection.dialect)
      if (checker === undefined && isWhole) events.end().forEach(report)
      if (detection?.dialect === undefined) {
        const got = values === 0 ? 'no values' : `${values} values of an unknown format`
        const message = `Expected a recording of a known format, got ${got}.`
        report({ code: 'unknown-dialect', severity: 'error', message, line: lastLine })
      }
      return {
        dialect: detection?.dialect ?? null,
        ...(detection?.runnerUp !== undefined && { runnerUp: detection.runnerUp }),
        tasks: tree.reports(),
        diagnostics: findings.listed,
        totals: totalsOf(tree, findings, values, eventCount, kinds),
      }
    },
  }
}

/** Inspects a whole recording. */
export async function inspectRecording(
  chunks: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>,
  options: InspectOptions = {},
): Promise<Report> {
  const inspector = recordingInspector(options)
  for await (const chunk of chunks) await inspector.push(chunk)
  return inspector.end()
}
