/** The recording that a command reads: a file, or standard input. */

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Arguments } from '../arguments.ts'
import { UsageError } from '../usage-error.ts'

/** A recording, not opened yet. */
export interface Input {
  /** How it is called in reports. */
  readonly name: string
  /** Its size in bytes. Omitted if it is not known. */
  readonly size?: number
  readonly chunks: AsyncIterable<Uint8Array>
}

/** How much is read at once, in bytes. */
const CHUNK = 256 * 1024

/**
 * The recording that the arguments name: `-` for standard input.
 *
 * @throws UsageError if it is not named, cannot be read, or is the file to write.
 */
export async function inputOf(
  args: Pick<Arguments, 'operands' | 'rest'> & Partial<Arguments>,
): Promise<Input> {
  const operands = [...args.operands, ...args.rest]
  const [file, ...more] = operands
  if (file === undefined) throw new UsageError('Expected the name of a file, or - for standard input.')
  if (more.length > 0)
    throw new UsageError(`Expected one file, got ${operands.length}: ${operands.join(', ')}.`)
  if (/^https?:\/\//i.test(file))
    throw new UsageError(`Expected a file, got a URL. Record it: turnstream record ${file} -o run.sse`)
  if (file === '-') return { name: 'stdin', chunks: process.stdin }
  try {
    const stats = await stat(file)
    if (stats.isDirectory()) throw new UsageError(`Expected a file, got the folder ${file}.`)
    await requireOtherFile(file, args.options?.output)
    const chunks = readable(file)
    return stats.isFile() ? { name: file, size: stats.size, chunks } : { name: file, chunks }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`Cannot read ${file}: ${reasonOf(error)}`)
  }
}

/**
 * Requires that a command does not write over what it reads.
 *
 * @param output - The file to write, if the call names one.
 * @throws UsageError if both are one file, under whatever names.
 */
export async function requireOtherFile(input: string, output: unknown): Promise<void> {
  if (typeof output !== 'string') return
  const [a, b] = await Promise.all(
    [input, output].map((file) => stat(file, { bigint: true }).catch(() => undefined)),
  )
  if (a !== undefined && a.ino === b?.ino && a.dev === b.dev)
    throw new UsageError(`Expected --output as another file than ${input}, which is read, got ${output}.`)
}

async function* readable(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file, { highWaterMark: CHUNK })
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${reasonOf(error)}`)
  }
}

/** Why a file cannot be read or written, in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'no such file.'
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied.'
  return `${message}.`
}
