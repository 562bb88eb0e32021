/** Decodes untrusted values to commands. */

import type { DecodeResult } from '../core/decode-result.ts'
import { decodeBy, type Vocabulary, vocabularyOf } from '../validation/vocabulary.ts'
import type { Command, UnknownCommand } from './command.ts'
import { commandEnvelopeShape, commandShapes } from './shapes.generated.ts'

/**
 * Decodes a value as a command. Never throws.
 *
 * A known command is the value itself, including unknown fields. If an optional field is `null`, it is a copy without
 * that field. A command of a kind that this version does not know is `unknown` if it has a `commandId` and a
 * `timestamp`: pass it on.
 *
 * @param value - Usually the parsed body of a request.
 *
 * @example
 * ```ts
 * const decoded = decodeCommand(await request.json())
 * if (decoded.status !== 'known') return new Response('Invalid command.', { status: 400 })
 * ```
 */
export function decodeCommand(value: unknown): DecodeResult<Command, UnknownCommand> {
  return decodeBy(commandVocabulary, value)
}

/** The commands. */
export const commandVocabulary: Vocabulary = /* @__PURE__ */ vocabularyOf(commandShapes, commandEnvelopeShape)
