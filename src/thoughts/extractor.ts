import type { Machine, Step } from '../core/machine.ts'
import { type MachineState, opaque } from '../core/machine-state.ts'
import { settingsOf, type ThoughtOptions } from './options.ts'
import type { Thought, ThoughtMeta, ThoughtOutcome, ThoughtOutput } from './output.ts'
import { copyMeta, endInto, type Read, readInto, type ThoughtEnd } from './read.ts'
import { type ExtractorState, initialState } from './state.ts'
import type { ThoughtSink } from './thought-writer.ts'

/** The documented fields of the extractor's state: pass them to the extractor of another output. */
type CarriedFields = {
  /** How many thoughts have started: the `index` of the next one. */
  readonly index: number
  /** The last thoughts, to recognize duplicates. Its contents are private. */
  readonly seen: object
}

/**
 * Separates thoughts from content in model output. The result does not depend on where the output is cut into
 * deltas.
 *
 * Thoughts are written in three ways, which may be mixed:
 *
 * ```text
 * <thinking>Check the date first.</thinking>
 * <thinking thought="Check the date first." thought_type="planning" confidence="0.7"></thinking>
 * <thinking thought="Check the date first." thought_type="planning" confidence="0.7" />
 * ```
 *
 * Attribute values are quoted by `"` or `'`, or unquoted. Quoted values may contain `<`, `>` and the escapes
 * `\"`, `\'` and `\\`; all values may contain character entities. Attributes: `thought`, `thought_type`,
 * `confidence`, `verbosity`, `alternatives`, `related_to`.
 *
 * The first closing tag of the same name ends a thought, whatever other tags it contains. Tags in Markdown code
 * are content; {@link ThoughtOptions.codeAware} has the details. An opening tag that the end of the output cuts off
 * is content.
 *
 * Use it on the assistant's text, one run per content block of a response, and only if the prompt or the model
 * produces such tags. Do not apply it to tool results, which could forge thoughts. The content remains
 * untrusted text; it may even contain a tag, joined from both sides of a thought.
 *
 * At most `maxTagLength` characters are held back, and only while they may still become a tag.
 *
 * Diagnostics:
 *
 * | code | meaning | `detail` |
 * |---|---|---|
 * | `orphan-close` | a closing tag without an opening tag was removed | `{ tag }` |
 * | `tag-too-long` | text that starts like a tag is content, as it is longer than `maxTagLength` | `{ tag }`, its first 64 characters |
 * | `bad-attribute` | the value of a known attribute is invalid and was left out | `{ name, value }` |
 * | `ignored-attribute` | an attribute is unknown or repeated | `{ name, value }` |
 * | `duplicate-thought` | a thought was left out as a duplicate | `{ index }` |
 * | `thought-truncated` | a thought is longer than `maxThoughtLength` | `{ index }` |
 * | `unterminated` | the output ended inside a thought | `{ index }` |
 * | `invalid-delta` | an input is no text, such as bytes, and was left out; reported once | |
 *
 * @throws TypeError for invalid options, such as an empty tag name.
 *
 * @example
 * ```ts
 * const thoughts = run(thoughtExtractor({ tags: ['think'] }))
 * for (const output of thoughts.push('<think>Easy.</think>\n\nFour.')) {
 *   if (output.type === 'content') show(output.delta)
 *   if (output.type === 'thought') log(output.thought.text)
 * }
 * ```
 */
export function thoughtExtractor(
  options: ThoughtOptions = {},
): Machine<MachineState<'thoughtExtractor', CarriedFields>, string, ThoughtOutput, ThoughtEnd> {
  const settings = settingsOf(options)
  const machine: Machine<ExtractorState, string, ThoughtOutput, ThoughtEnd> = {
    initial: initialState(settings),
    step(state, delta) {
      const outputs = new Outputs()
      return outputs.step(readInto(outputs, settings, state, delta))
    },
    end(state, reason) {
      const outputs = new Outputs()
      return outputs.step(endInto(outputs, settings, state, reason))
    },
  }
  return opaque(machine)
}

/** The outputs of one step. They belong to the consumer, so they share nothing with the state. */
class Outputs implements ThoughtSink {
  readonly out: ThoughtOutput[] = []

  content(delta: string): void {
    this.out.push({ type: 'content', delta })
  }

  thoughtStart(index: number, meta: ThoughtMeta): void {
    this.out.push({ type: 'thought-start', index, meta: copyMeta(meta) })
  }

  thoughtDelta(index: number, delta: string): void {
    this.out.push({ type: 'thought-delta', index, delta })
  }

  thoughtEnd(index: number, outcome: ThoughtOutcome, thought: Thought): void {
    if (outcome === 'emitted') this.out.push({ type: 'thought', index, thought: copyMeta(thought) })
    this.out.push({ type: 'thought-end', index, outcome })
  }

  /** The finished step. */
  step(read: Read): Step<ExtractorState, ThoughtOutput> {
    const { state, diagnostics } = read
    // Written out: a spread takes several times as long.
    return diagnostics === undefined ? { state, out: this.out } : { state, out: this.out, diagnostics }
  }
}
