/** Reasoning that is redacted: bytes, which may come in pieces. */

import { appendBase64 } from '../../encoding/base64.ts'
import { textOf } from '../shared/fields.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { findOpen } from '../shared/state.ts'
import { describeThought } from '../shared/thoughts.ts'
import type { BedrockState } from './state.ts'

type Writer = ModelWriter<BedrockState>

/** Appends a piece, as Base64. Bytes that do not fill a group of it wait. */
export function addRedacted(writer: Writer, key: string, piece: string): void {
  const rest = takeRest(writer, key)
  const base64 = signatureOf(writer, key)
  const next = appendBase64(rest === '' ? { base64 } : { base64, rest }, piece)
  if (next === undefined) {
    writer.dropped('signature', 'invalid-content', 'Expected Base64 as redacted reasoning.')
  }
  describeThought(writer, key, { signature: next?.base64 ?? base64, redacted: true })
  const waiting = next === undefined ? rest : (next.rest ?? '')
  if (waiting !== '') putRests(writer, [...writer.state.own.rests, { key, rest: waiting }])
}

/** Appends the bytes that wait. */
export function endRedacted(writer: Writer, key: string): void {
  const rest = takeRest(writer, key)
  if (rest !== '') describeThought(writer, key, { signature: signatureOf(writer, key) + rest })
}

function takeRest(writer: Writer, key: string): string {
  const { rests } = writer.state.own
  const known = rests.find((one) => one.key === key)
  if (known === undefined) return ''
  putRests(
    writer,
    rests.filter((one) => one !== known),
  )
  return known.rest
}

function putRests(writer: Writer, rests: BedrockState['rests']): void {
  const { blocks, results } = writer.state.own
  writer.state.own = { blocks, results, rests }
}

function signatureOf({ state: { thoughts } }: Writer, key: string): string {
  return textOf(findOpen(thoughts, key, 'open')?.metadata.signature)
}
