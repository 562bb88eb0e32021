/** SQLite for tests: that of Node where it has one, else in WebAssembly. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SqlValue } from '../../src/sql/database.ts'
import type { SqliteClient } from '../../src/sql/drivers/sqlite.ts'

/** A database in a file that goes with `end`. */
export interface SqliteFile {
  /** Connects, as a process of its own does. */
  connect(): Promise<SqliteClient & { close(): unknown }>
  end(): void
}

type Open = (path: string) => SqliteClient & { close(): unknown }

/** The names of the databases that this Node can open. */
export const sqliteNames: readonly string[] =
  Number(process.versions.node.split('.')[0]) >= 23 ? ['node:sqlite', 'WebAssembly'] : ['WebAssembly']

const openers: Readonly<Record<string, () => Promise<Open>>> = {
  async 'node:sqlite'() {
    const { DatabaseSync } = (await import('node:sqlite' as string)) as {
      DatabaseSync: new (path: string) => SqliteClient & { close(): unknown }
    }
    return (path) => new DatabaseSync(path)
  },
  async WebAssembly() {
    const { default: wasm } = await import('node-sqlite3-wasm')
    return (path) => adapted(new wasm.Database(path))
  },
}

/** A folder in memory, where there is one: what is written is flushed to the disk after each write. */
const inMemory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Creates a database. */
export async function createSqlite(name: string, temporary: string = inMemory): Promise<SqliteFile> {
  const folder = mkdtempSync(join(temporary, 'turnstream-sql-'))
  const open = await openers[name]?.()
  if (open === undefined) throw new Error(`There is no ${name}.`)
  const opened: { close(): unknown }[] = []
  return {
    async connect() {
      const client = open(join(folder, 'streams.db'))
      opened.push(client)
      return client
    },
    end() {
      for (const client of opened) {
        try {
          client.close()
        } catch {
          // A test has closed it.
        }
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface WasmDatabase {
  exec(text: string): void
  prepare(text: string): { all(values: SqlValue[]): unknown[]; run(values: SqlValue[]): unknown }
  close(): void
}

/** Its parameters are a list, and it prepares no statement that runs alone. */
function adapted(database: WasmDatabase): SqliteClient & { close(): unknown } {
  return {
    exec: (text) => database.exec(text),
    prepare(text) {
      const statement = database.prepare(text)
      return { all: (...params) => statement.all(params), run: (...params) => statement.run(params) }
    },
    close: () => database.close(),
  }
}
