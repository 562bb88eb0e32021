import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Skipped } from '../step.ts'

/** A Node with SQLite: this one, or that of the folder. */
export function nodeWithSqlite(root: string): string {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  const node = join(root, `test/all/sql/node_modules/node24-${process.platform}-${process.arch}/bin/node`)
  if (!existsSync(node)) throw new Skipped('there is no Node with SQLite: run `npm install` in test/all/sql')
  return node
}
