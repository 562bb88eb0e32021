/** Options of the commands that read a recording. */

import { type Dialect, dialects, isDialect } from '../../inspect/dialects.ts'
import { type VerifyMode, verifyModes } from '../../rules/rule.ts'
import type { Arguments, OptionTable } from '../arguments.ts'
import { suggestion } from '../nearest.ts'
import { type Style, styleOf } from '../style.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

/** The option that names the format of the recording. */
export const fromOption: OptionTable = {
  from: { type: 'string', value: 'FORMAT', about: 'The format of the recording; recognized if omitted' },
}

/** The options about color. */
export const colorOptions: OptionTable = {
  color: { type: 'boolean', about: 'Use colors even if the output is not a terminal' },
  'no-color': { type: 'boolean', about: 'Use no colors; the same as NO_COLOR=1' },
}

/** The option that states how much is checked. */
export const modeOption: OptionTable = {
  mode: {
    type: 'string',
    value: 'MODE',
    about: 'How much is checked: lenient, standard (default) or strict',
  },
}

/** A note for the help: the names of formats. */
export const formatNote: string = `Formats: ${dialects.join(', ')}.`

/** What formats are also called. */
const OTHER_NAMES: ReadonlyMap<string, Dialect> = new Map([
  ['aws', 'bedrock'],
  ['claude', 'anthropic'],
  ['google', 'gemini'],
  ['openai', 'openai-chat'],
  ['vercel', 'ai-sdk'],
  ['vertex', 'gemini'],
])

/**
 * The format that an option names; `undefined` if the option was not given.
 *
 * @throws UsageError if there is no such format.
 */
export function dialectIn(
  { options }: Arguments,
  name: string,
  allowed = dialects as readonly Dialect[],
): Dialect | undefined {
  const given = options[name]
  if (typeof given !== 'string') return undefined
  if (isDialect(given) && allowed.includes(given)) return given
  throw unknownChoice(name, allowed, OTHER_NAMES.get(given.toLowerCase()) ?? given, given)
}

/**
 * One of some choices.
 *
 * @throws UsageError if it is another.
 */
export function choiceIn<const Choice extends string>(
  { options }: Arguments,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const given = options[name] ?? choices[0]
  const choice = choices.find((each) => each === given)
  if (choice === undefined) throw unknownChoice(name, choices, String(given))
  return choice
}

/** @param meant - What the suggestion is for. */
function unknownChoice(name: string, choices: readonly string[], meant: string, given = meant): UsageError {
  const hint = suggestion(meant, choices)
  return new UsageError(`Expected --${name} ${choices.join(', ')}, got ${given}.${hint}`)
}

/** How much is checked. */
export function modeIn(args: Arguments): VerifyMode {
  const { mode = 'standard' } = args.options
  const found = verifyModes.find((each) => each === mode)
  if (found === undefined) throw unknownChoice('mode', verifyModes, String(mode))
  return found
}

/** An integer from `min` to `max`; `fallback` if the option was not given. */
export function integerIn(
  { options }: Arguments,
  name: string,
  min: number,
  fallback: number,
  max: number = Number.MAX_SAFE_INTEGER,
): number {
  const given = options[name]
  if (given === undefined) return fallback
  const number = Number(given)
  if (!Number.isSafeInteger(number) || number < min || number > max || String(given).trim() === '') {
    const range = max === Number.MAX_SAFE_INTEGER ? `>= ${min}` : `from ${min} to ${max}`
    throw new UsageError(`Expected --${name} as an integer ${range}, got ${String(given)}.`)
  }
  return number
}

/** The styles of the output. */
export function styleIn({ options }: Arguments, terminal: Terminal): Style {
  return styleOf(options['no-color'] !== true && (options.color === true || terminal.isColored === true))
}
