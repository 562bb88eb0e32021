/** The command `turnstream inspect`. */
import { recordingInspector } from '../../inspect/report/inspector.ts'
import { type TimelineEntry, timeline } from '../../inspect/report/timeline.ts'
import type { Command } from '../command.ts'
import { inputOf } from '../recording/input.ts'
import { NAME_FORMAT, requireKnown } from '../recording/known.ts'
import {
  colorOptions,
  dialectIn,
  formatNote,
  fromOption,
  modeIn,
  modeOption,
  styleIn,
} from '../recording/options.ts'
import { Output } from '../recording/output.ts'
import { withProgress } from '../recording/progress.ts'
import { JsonReport } from './json-report.ts'
import { summaryLines } from './summary.ts'
import { entryHeading, heading, timelineLine } from './timeline-line.ts'

export const inspect: Command = {
  usage: '<file> [options]',
  about:
    'Shows what a recording of an agent or a model holds: its format, a timeline, tasks as a tree with thoughts, tools and tokens, and what is wrong.',
  examples: [
    ['run.sse', 'A recording of any format'],
    ['- --from anthropic < chunks.jsonl', 'Standard input, of a given format'],
    ['run.har --json', 'The report as JSON'],
    ['run.jsonl --full', 'Texts and arguments not cut off'],
  ],
  options: {
    ...fromOption,
    json: { type: 'boolean', about: 'Print the report as JSON, with all events whole; may show secrets' },
    full: {
      type: 'boolean',
      about: 'Show texts and tool arguments up to 16 Ki characters; may show secrets',
    },
    ...modeOption,
    ...colorOptions,
  },
  notes: [
    formatNote,
    'Reads Server-Sent Events, JSON Lines, JSON lists, concatenated JSON, HAR files and binary event streams.',
    'Exit codes: 0 if the recording was read, 2 if it was not.',
  ],
  async run(args, terminal) {
    const from = dialectIn(args, 'from')
    const input = await inputOf(args)
    const isJson = args.options.json === true
    const full = args.options.full === true
    const style = styleIn(args, terminal)
    const entries = timeline({ full })
    const json = new JsonReport()
    const output = new Output(terminal)
    let before: TimelineEntry | undefined
    const show = (entry: TimelineEntry): void => {
      output.add(timelineLine(entry, before, style))
      before = entry
    }
    const inspector = recordingInspector({
      ...(from !== undefined && { from }),
      mode: modeIn(args),
      full,
      onDetection: (detection) => {
        if (isJson) output.add(json.start(detection))
        else if (detection.dialect !== undefined) {
          output.add(heading(input.name, detection, from !== undefined, style))
        }
      },
      onEntry: (entry, detection) => {
        if (isJson) return
        entries.end().forEach(show)
        output.add(entryHeading(entry, detection, style))
      },
      onEvent: (event, place) => {
        if (isJson) output.add(json.event(event))
        else entries.push(event, place).forEach(show)
      },
    })
    for await (const chunk of withProgress(input, terminal)) {
      await inspector.push(chunk)
      await output.continue()
    }
    const report = await inspector.end()
    if (isJson) output.add(json.end(report))
    else if (report.dialect !== null) {
      entries.end().forEach(show)
      output.add(summaryLines(report, style))
    }
    await output.flush()
    requireKnown(input.name, report, NAME_FORMAT)
    return 0
  },
}
