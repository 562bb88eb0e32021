/** Names and keys as texts that every database keeps as they are, and can index. */
import { digitsOf, textDigest } from '../encoding/sha256.ts'

/** Longer keys are named by their digest: Postgres indexes no more than 2704 bytes. */
const MAX_KEY = 400

/** Postgres has no NUL in a text. Percent signs keep names distinct. */
export function storedName(stream: string): string {
  return stream.replace(/[%\0]/g, (char) => (char === '%' ? '%25' : '%00'))
}

/** The name of a stream that is stored so. */
export function streamNamed(stored: string): string {
  return stored.replace(/%(25|00)/g, (_, code) => (code === '25' ? '%' : '\0'))
}

/** The key of a task within its stream: JSON, which has no NUL and no half surrogates. An artifact has one as well: `id` is a list. */
export function taskKeyOf(contextId: string, id: string | readonly [artifactId: string]): string {
  const key = JSON.stringify([contextId, id])
  return key.length <= MAX_KEY ? key : `#${digitsOf(textDigest(key))}`
}
