/**
 * Our own fields in the `providerMetadata` of chunks, under the name `turnstream`, as the AI SDK keeps those of every
 * provider: what a chunk has no field for.
 */

import { setMember } from '../../../core/mutable.ts'
import { signatureKeys } from '../../../events/carry-keys.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import type { ProviderMetadata } from './types.ts'

/** What `fromUiMessageStream` keeps of a chunk that events have no field for: in `metadata.aiSdk`. */
export interface Carried {
  /** The metadata of providers, without a signature. */
  readonly providerMetadata?: ProviderMetadata
  /** Where the signature was in it: the provider and the key. */
  readonly signature?: readonly [provider: string, key: string]
  /** The names that chunks have for what events do not. */
  readonly [field: string]: unknown
}

/** Keys whose value is the thought itself in encrypted form. */
const redactedKeys = ['redactedData']

/** The fields of ours in the metadata of a chunk; empty if it has none. */
export function ownFields(metadata: unknown): Fields {
  const own = isFields(metadata) && Object.hasOwn(metadata, 'turnstream') ? metadata.turnstream : undefined
  return fieldsOf(own)
}

/** Whether a chunk was written by `toUiMessageStream`. */
export function isOwn(metadata: unknown): boolean {
  return isFields(metadata) && Object.hasOwn(metadata, 'turnstream')
}

/** The `providerMetadata` of a chunk: fields of ours, and what was carried from another stream. */
export function toProviderMetadata(
  own: Fields | undefined,
  carried: unknown,
  signature?: string,
): ProviderMetadata | undefined {
  const { providerMetadata, signature: place } = isFields(carried) ? (carried as Carried) : {}
  if (own === undefined && providerMetadata === undefined && signature === undefined) return undefined
  const all: Record<string, Fields> = {}
  if (isFields(providerMetadata)) {
    for (const [name, value] of Object.entries(providerMetadata))
      if (isFields(value)) setMember(all, name, value)
  }
  let ours = own
  if (signature !== undefined && Array.isArray(place) && place.every((step) => typeof step === 'string')) {
    const [provider = '', key = ''] = place as string[]
    setMember(all, provider, { ...all[provider], [key]: signature })
  } else if (signature !== undefined) ours = { ...own, signature }
  if (ours !== undefined) all.turnstream = ours
  return cleanObject(all) as ProviderMetadata
}

/** What is read of the metadata of a chunk. */
export interface ReadProvider {
  readonly carried: Carried | undefined
  readonly signature: string | undefined
  readonly isRedacted: boolean
  readonly own: Fields
}

/** Splits the metadata of a chunk into fields of ours, a signature, and the rest. */
export function readProvider(metadata: unknown): ReadProvider {
  const own = ownFields(metadata)
  if (!isFields(metadata)) return { carried: undefined, signature: undefined, isRedacted: false, own }
  let signature = typeof own.signature === 'string' ? own.signature : undefined
  let place: readonly [string, string] | undefined
  let isRedacted = false
  const rest: [string, unknown][] = []
  for (const [provider, value] of Object.entries(metadata)) {
    if (provider === 'turnstream') continue
    const key = isFields(value) ? signatureKeys.find((name) => typeof value[name] === 'string') : undefined
    if (key === undefined || !isFields(value) || signature !== undefined) {
      rest.push([provider, value])
      continue
    }
    signature = value[key] as string
    place = [provider, key]
    isRedacted = redactedKeys.includes(key)
    const { [key]: _, ...others } = value
    if (Object.keys(others).length > 0) rest.push([provider, others])
  }
  const carried: Metadata = {
    ...(rest.length > 0 && { providerMetadata: cleanObject(Object.fromEntries(rest)) }),
    ...(place !== undefined && { signature: place }),
  }
  const isEmpty = Object.keys(carried).length === 0
  return { carried: isEmpty ? undefined : (carried as Carried), signature, isRedacted, own }
}
