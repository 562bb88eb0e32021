/** The forms of the report of `turnstream validate`. */
import { rulesFor } from '../../inspect/check/checker.ts'
import type { Detection } from '../../inspect/detect/detect.ts'
import type { Report } from '../../inspect/report/report.ts'
import { jsonText } from '../escape.ts'
import { packageVersion } from '../package.ts'
import type { Style } from '../style.ts'
import { type Findings, omittedOf } from './findings.ts'
import { junitText } from './junit.ts'
import { sarifLog } from './sarif.ts'
import { totalsLine } from './text.ts'

type Write = (found: Findings, report: Report, detection: Detection, style: Style) => string | Promise<string>

/** Writes the report, or what ends it. */
export const formats: Readonly<Record<'text' | 'json' | 'sarif' | 'junit', Write>> = {
  text: (found, report, detection, style) => totalsLine(found, report, detection, style),
  json: (found, { totals }) => {
    const { name, dialect, listed, counts } = found
    const { values } = totals
    return `${jsonText({ file: name, dialect, values, totals: counts, omitted: omittedOf(found), findings: listed }, 2)}\n`
  },
  sarif: async (found) => {
    const rules = found.dialect === null ? [] : await rulesFor(found.dialect)
    return `${jsonText(sarifLog(found, rules, await packageVersion()), 2)}\n`
  },
  junit: (found) => junitText(found),
}
