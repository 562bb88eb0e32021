/** Inspecting a recording: what it is, what it holds, and what is wrong. */

import type { ContextAnyEvent } from '../../events/event.ts'
import type { VerifyMode } from '../../rules/rule.ts'
import { isFields } from '../../validation/predicates.ts'
import { bounded } from '../check/bounded.ts'
import { type Finding, severityOf } from '../check/finding.ts'
import { type Detection, detectDialect, SAMPLE } from '../detect/detect.ts'
import { type Dialect, responseDialects } from '../dialects.ts'
import { responseCounter } from '../read/to-core-events.ts'
import { isValue, type RecordingOptions, recordingReader } from '../recording/reader.ts'
import type { HarEntry, Recorded } from '../recording/recorded.ts'
import { FindingList } from './finding-list.ts'
import type { Report } from './report.ts'
import { depthOf, TaskTree } from './task-tree.ts'
import { totalsOf } from './totals.ts'
import {
  type Counts,
  type FindingSource,
  type Place,
  placeOf,
  type ValueReader,
  valueReader,
} from './value-reader.ts'

/** Options of {@link recordingInspector}. */
export interface InspectOptions extends RecordingOptions {
  /** The format of the recording. Omitted: it is recognized. */
  readonly from?: Dialect
  /** How much is checked. @defaultValue `'standard'` */
  readonly mode?: VerifyMode
  /** Whether texts and arguments are kept up to 16 Ki characters, not only their beginning. @defaultValue `false` */
  readonly full?: boolean
  /** What is reported. @defaultValue `'all'` */
  readonly findings?: FindingSource
  /** Called once, with what the recording seems to be, before any event: of a HAR file, its first entry that is known. */
  readonly onDetection?: (detection: Detection) => void
  /** Called with each entry of a HAR file that holds values, before its events. */
  readonly onEntry?: (entry: HarEntry, detection: Detection) => void
  /** Called with each event in order, its place and how deep its task is. */
  readonly onEvent?: (event: ContextAnyEvent, place: EventPlace) => void
  /** Called for each value that is no valid event and that a broken rule is reported for instead. */
  readonly onInvalid?: () => void
  /** Called with each finding, in order. Long texts in it are cut off, and long values left out. */
  readonly onFinding?: (finding: Finding) => void
}

/** Where an event is. */
export interface EventPlace extends Place {
  /** Its position among the events of the recording, from 0. */
  readonly eventIndex: number
  /** How many tasks are above its task. */
  readonly depth: number
  /** Its time, in milliseconds since 1970. Omitted if the recording does not state it. */
  readonly timeMs?: number
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
 * Each entry of a HAR file is recognized by itself. Formats of responses are read by a reader for each entry; those whose
 * events name their task by one for all entries, as a stream may go on in the next response.
 *
 * Besides the diagnostics of readers and rules, it reports `unknown-dialect` at the end of a recording of no known format,
 * and for the entries of a HAR file that have none.
 */
export function recordingInspector(options: InspectOptions = {}): RecordingInspector {
  const { from, mode = 'standard', full = false, findings: source = 'all' } = options
  const { onDetection, onEntry, onEvent, onFinding, onInvalid } = options
  const recording = recordingReader(options)
  const tree = new TaskTree(full)
  const findings = new FindingList()
  const kinds = new Map<string, number>()
  const next = responseCounter()
  /** What the recording was announced as. */
  let detection: Detection | undefined
  const found = new Set<Dialect>()
  /** The readers that go on in the next entry. */
  const readers = new Map<Dialect, ValueReader>()
  let reader: ValueReader | undefined
  let isResponse = false
  let entry: HarEntry | undefined
  let isDecided = false
  let sample: Recorded[] = []
  let sampled = 0
  /** The entries of no known format. */
  const unknown: HarEntry[] = []
  const counts: Counts = { values: 0, events: 0 }
  /** Whether a fault states why nothing is read. */
  let isUnreadable = false
  let lastPlace: Place = { line: 1 }

  async function receive(all: Iterable<Recorded>): Promise<void> {
    for (const recorded of all) {
      if (recorded.entry !== entry) await startEntry(recorded.entry)
      if (isDecided) {
        read(recorded)
        continue
      }
      // The same sample, however the recording is cut.
      sample.push(recorded)
      if (isValue(recorded) && isFields(recorded.value)) sampled++
      if (from !== undefined || sampled >= SAMPLE || sample.length >= MAX_SAMPLE) await decide()
    }
  }

  async function startEntry(started: HarEntry | undefined): Promise<void> {
    if (entry !== undefined || sample.length > 0) await decide()
    if (isResponse) reader?.end()
    reader = undefined
    entry = started
    isDecided = false
    sampled = 0
  }

  /** Decides on the format of the recording, or of the entry. */
  async function decide(): Promise<void> {
    if (isDecided) return
    isDecided = true
    const given =
      from === undefined ? detectDialect(sample.filter(isValue)) : { dialect: from, isCertain: true }
    const { dialect } = given
    if (dialect !== undefined || entry === undefined) announce(given)
    if (entry !== undefined) onEntry?.(entry, given)
    if (dialect !== undefined) await open(dialect)
    else if (entry !== undefined && unknown.length < MAX_SAMPLE) unknown.push(entry)
    const first = sample
    sample = []
    first.forEach(read)
  }

  function announce(given: Detection): void {
    if (detection !== undefined) return
    detection = given
    onDetection?.(given)
  }

  async function open(dialect: Dialect): Promise<void> {
    found.add(dialect)
    isResponse = responseDialects.has(dialect)
    reader = readers.get(dialect)
    if (reader !== undefined) return
    reader = await valueReader(dialect, {
      ...{ mode, findings: source, next, counts },
      onEvent: addEvent,
      onFinding: report,
      onInvalid,
    })
    if (!isResponse) readers.set(dialect, reader)
  }

  function read(recorded: Recorded): void {
    lastPlace = placeOf(recorded)
    if (!isValue(recorded)) {
      const { code, message } = recorded.diagnostic
      if (code === 'compressed' || code === 'binary') isUnreadable = true
      report({ code, severity: severityOf(code), message, ...lastPlace })
      return
    }
    reader?.push(recorded)
    counts.values++
  }

  function addEvent(event: ContextAnyEvent, place: Place, timeMs: number | undefined): void {
    kinds.set(event.kind, (kinds.get(event.kind) ?? 0) + 1)
    const task = tree.add(event, place.line, timeMs)
    onEvent?.(event, {
      ...place,
      eventIndex: counts.events,
      depth: depthOf(task),
      ...(timeMs !== undefined && { timeMs }),
    })
    counts.events++
  }

  function report(found: Finding): void {
    const finding = bounded(found)
    findings.add(finding)
    onFinding?.(finding)
  }

  function reportUnknown(): void {
    for (const { number, line, request } of unknown) {
      const message = `Expected a stream of a known format in entry ${number}, got another one${request === '' ? '' : ` of ${request}`}.`
      // Pages load more than the streams of agents.
      report({ code: 'unknown-dialect', severity: 'warn', message, line, entry: number })
    }
    if (detection?.dialect !== undefined || isUnreadable) return
    const got =
      counts.values === 0
        ? 'no values'
        : `${counts.values === 1 ? '1 value' : `${counts.values} values`} of an unknown format`
    const message = `Expected a recording of a known format, got ${got}.`
    const line = counts.values === 0 ? lastPlace.line : 1
    report({ code: 'unknown-dialect', severity: 'error', message, line })
  }

  return {
    push: (chunk) => receive(recording.push(chunk)),
    async end() {
      await receive(recording.end())
      await decide()
      announce({ isCertain: false })
      if (isResponse) reader?.end()
      for (const each of readers.values()) each.end()
      reportUnknown()
      return {
        dialect: detection?.dialect ?? null,
        ...(detection?.runnerUp !== undefined && { runnerUp: detection.runnerUp }),
        ...(found.size > 1 && { dialects: [...found] }),
        tasks: tree.reports(),
        diagnostics: findings.listed,
        totals: totalsOf(tree, findings, counts, kinds),
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
