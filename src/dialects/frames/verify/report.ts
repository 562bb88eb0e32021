/** Violations of the rules, and how checks report them. */
import type { FrameRuleName } from './rules.ts'
import { frameRules } from './rules.ts'

/** A violation of a rule. */
export interface FrameViolation {
  /** The violated rule. */
  readonly rule: FrameRuleName
  /** `error`: the log is not legal. `warn`: it is legal but suspicious. */
  readonly severity: 'error' | 'warn'
  /** What was expected and what came, in English. May change in any release. */
  readonly message: string
  /** Position of the frame among all frames, from 0; at the end, the number of frames. */
  readonly eventIndex: number
  /** The stream: `<id>` in version 1, `<kind>/<id>` in version 2. Omitted if unknown. */
  readonly stream?: string
  /** The `seq` of the frame. Omitted if it has none, and at the end. */
  readonly seq?: number
  /** JSON pointer into the frame. Omitted: the frame as a whole, or its stream. */
  readonly path?: string
  /** The expected value. Omitted if it is not one value. */
  readonly expected?: unknown
  /** The actual value. Omitted if there is none. */
  readonly actual?: unknown
}

/**
 * Reports a violation with the severity of its rule. `actual` defaults to the value at the path.
 *
 * @param path - JSON pointer into the frame. Omitted: the frame as a whole, or its stream.
 */
export type Report = (
  rule: FrameRuleName,
  message: string,
  path?: string,
  more?: Partial<Pick<FrameViolation, 'severity' | 'expected' | 'actual'>>,
) => void

/** A report function that adds violations at one place to a list. */
export function reporter(
  list: FrameViolation[],
  place: Pick<FrameViolation, 'eventIndex' | 'stream' | 'seq'>,
  value?: unknown,
): Report {
  return (rule, message, path, more) => {
    const { severity = 'error' } = frameRules.find((each) => each.rule === rule) ?? {}
    const actual = path === undefined ? undefined : valueAt(value, path)
    list.push({
      rule,
      severity,
      message,
      ...place,
      ...(path !== undefined && { path }),
      ...(actual !== undefined && { actual }),
      ...more,
    })
  }
}

/** The options of a report that is only a warning. */
export const WARN = { severity: 'warn' } as const

function valueAt(value: unknown, path: string): unknown {
  let at = value
  for (const key of path.split('/').slice(1)) at = (at as Readonly<Record<string, unknown>> | null)?.[key]
  return at
}
