/** Writing a file for its owner only: it may hold what is secret in a recording. */
import { randomBytes } from 'node:crypto'
import { access, constants, type FileHandle, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { reasonOf } from './recording/input.ts'
import { UsageError } from './usage-error.ts'

/**
 * Writes a file that only its owner can read, in place of one that is there, whatever its mode. The file appears whole or not
 * at all: it is written next to its place and renamed. Links are not followed.
 *
 * @throws UsageError if it cannot be written, or what is there is no regular file.
 */
export async function writePrivate(file: string, text: string): Promise<void> {
  await replace(file, async (handle) => {
    try {
      await handle.writeFile(text)
    } finally {
      await handle.close()
    }
  })
}

/** A file that grows. */
export interface PrivateFile {
  /** Appends a text. */
  readonly write: (text: string) => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Opens an empty file that only its owner can read, in place of one that is there, as {@link writePrivate} does.
 *
 * @throws UsageError as there; from `write` if a text cannot be written.
 */
export async function openPrivate(file: string): Promise<PrivateFile> {
  const handle = await replace(file, async () => {})
  return {
    write: (text) => handle.appendFile(text).catch((error) => Promise.reject(cannotWrite(file, error))),
    close: () => handle.close(),
  }
}

/** Puts a new file in the place of another one, once it is filled. Resolves to its handle. */
async function replace(file: string, fill: (handle: FileHandle) => Promise<void>): Promise<FileHandle> {
  const part = join(dirname(file), `.turnstream-${randomBytes(8).toString('hex')}`)
  try {
    await requireReplaceable(file)
    // Fails if the name is taken, also by a link.
    const handle = await open(part, 'wx', 0o600)
    await fill(handle)
    await rename(part, file)
    return handle
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw cannotWrite(file, error)
  }
}

function cannotWrite(file: string, error: unknown): unknown {
  return error instanceof UsageError ? error : new UsageError(`Cannot write ${file}: ${reasonOf(error)}`)
}

async function requireReplaceable(file: string): Promise<void> {
  const stats = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (stats === undefined) return
  if (!stats.isFile()) {
    const kind = stats.isDirectory() ? 'a folder' : stats.isSymbolicLink() ? 'a symbolic link' : 'a device'
    throw new UsageError(`Cannot write ${file}: expected a file or none, got ${kind}.`)
  }
  await access(file, constants.W_OK)
}
