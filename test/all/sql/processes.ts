/** Processes that share a database: many writers, and writers that are killed. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'esbuild'
import type { Lab } from '../lab.ts'
import { Skipped } from '../step.ts'
import { nodeWithSqlite } from './node-with-sqlite.ts'
import { startPostgres } from './server.ts'
import type { Seen, WorkerOptions } from './worker.ts'

/** How often a writer is killed: the number in `SQL_KILLS`, or 20. */
const KILLS = Number(process.env.SQL_KILLS ?? 20)
const LEASE_MS = 500
const WRITERS = 4
const EVENTS = 300

/** Starts processes on one database. */
export type Start = (options: Partial<WorkerOptions>) => Worker

export interface Worker {
  readonly child: ChildProcess
  /** What it has reported so far. */
  readonly seen: readonly unknown[]
  readonly ended: Promise<unknown>
}

/** Runs a check on a file of SQLite and on a Postgres. */
export async function onEach(lab: Lab, check: (start: Start) => Promise<string>): Promise<string> {
  const worker = await bundle(lab.root)
  const file = join(mkdtempSync(join(lab.temporary, 'sqlite-')), 'streams.db')
  const inSqlite = await checkOn(worker, nodeWithSqlite(lab.root), file, check)
  const server = await startPostgres()
  try {
    return `SQLite: ${inSqlite}; Postgres: ${await checkOn(worker, process.execPath, server.port, check)}`
  } finally {
    await server.kill()
  }
}

async function checkOn(
  worker: string,
  node: string,
  at: string | number,
  check: (start: Start) => Promise<string>,
): Promise<string> {
  const children = new Set<ChildProcess>()
  const stream = randomUUID()
  const start: Start = (options) => {
    const all = { at, role: 'read', stream, id: 'x', count: 0, leaseMs: LEASE_MS, ...options }
    const child = spawn(node, ['--no-warnings', worker, JSON.stringify(all)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.add(child)
    const seen: unknown[] = []
    createInterface({ input: child.stdout }).on('line', (line) => seen.push(JSON.parse(line)))
    return { child, seen, ended: once(child, 'close') }
  }
  try {
    await start({ role: 'create' }).ended
    return await check(start)
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
}

/** Four processes append to one stream, and a fifth reads it. */
export async function manyWriters(start: Start): Promise<string> {
  const reader = start({ role: 'read', count: WRITERS * EVENTS })
  const begin = performance.now()
  const writers = Array.from({ length: WRITERS }, (_, n) =>
    start({ role: 'write', id: `w${n}`, count: EVENTS, leaseMs: 60_000 }),
  )
  await Promise.all([reader, ...writers].map(({ ended }) => ended))
  const ms = performance.now() - begin
  for (const { seen } of [reader, ...writers]) requireNoFailure(seen)
  const read = reader.seen as Seen[]
  deepEqual(
    read.map(({ seq }) => seq),
    Array.from({ length: WRITERS * EVENTS }, (_, seq) => seq),
  )
  const confirmed = writers.flatMap(({ seen }) => seen as Seen[])
  deepEqual(
    confirmed.toSorted((a, b) => a.seq - b.seq),
    read,
  )
  for (let n = 0; n < WRITERS; n++) {
    const own = read.filter(({ text }) => text.startsWith(`w${n}#`)).map(({ text }) => text)
    deepEqual(
      own,
      Array.from({ length: EVENTS }, (_, index) => `w${n}#${index}`),
    )
  }
  return `${read.length} events of ${WRITERS} processes in one order, ${(ms / read.length).toFixed(1)} ms each with their starts`
}

/** Throws what a process has failed with. */
function requireNoFailure(seen: readonly unknown[]): void {
  const failure = (seen as Seen[]).find(({ seq }) => seq === -1)
  if (failure !== undefined) throw new Error(failure.text)
}

/** A process that writes is killed again and again, and another one ends its task. */
export async function killedWriters(start: Start): Promise<string> {
  const reader = start({ role: 'read', count: Number.MAX_SAFE_INTEGER, takesOver: true })
  const read = reader.seen as Seen[]
  const delays: number[] = []
  let confirmed = 0
  for (let n = 0; n < KILLS; n++) {
    const id = `k${n}`
    const writer = start({ role: 'write', id, count: 1_000_000 })
    while (writer.seen.length < 1 + Math.random() * 200) await sleep(5)
    writer.child.kill('SIGKILL')
    await writer.ended
    const killed = performance.now()
    while (!read.some(({ text }) => text === `${id} failed`)) {
      ok(performance.now() - killed < 30_000, `the task of ${id} was not ended`)
      await sleep(20)
    }
    delays.push(performance.now() - killed)
    for (const each of writer.seen as Seen[]) {
      // On a busy machine, its lease may have expired before.
      if (each.seq === -1 && each.text.includes('the lease of')) continue
      const found = read.filter(({ text }) => text === each.text)
      deepEqual(found, [each])
      confirmed++
    }
  }
  for (let n = 0; n < KILLS; n++) equal(read.filter(({ text }) => text === `k${n} failed`).length, 1)
  deepEqual(
    read.map(({ seq }) => seq),
    read.map((_, seq) => seq),
  )
  equal(new Set(read.map(({ text }) => text)).size, read.length)
  const again = start({ role: 'read', count: read.length })
  await again.ended
  requireNoFailure(again.seen)
  equal(again.seen.length, read.length)
  deepEqual(again.seen, read)
  delays.sort((a, b) => a - b)
  const at = (share: number): number => Math.round(delays[Math.floor((delays.length - 1) * share)] ?? 0)
  return `${KILLS} kills, ${confirmed} confirmed events stored once, each task failed once, after ${at(0.5)} ms (p50), ${at(1)} ms at most`
}

/** What appends cost. */
export async function costs(start: Start): Promise<string> {
  const worker = start({ role: 'cost', count: 500, leaseMs: 60_000 })
  await worker.ended
  return JSON.stringify(worker.seen)
}

/** What 2000 readers of 2000 streams cost that wait. */
export async function idleReaders(start: Start): Promise<string> {
  const worker = start({ role: 'idle', count: 2000 })
  await worker.ended
  const [{ statements, slowest }] = worker.seen as [{ statements: number; slowest: number }]
  ok(statements <= 100, `${statements} statements in 20 s`)
  return `2000 readers: ${statements} statements in 20 s, the loop stood still for ${slowest} ms at most`
}

/** One file, so that a process starts soon, where the packages of the folder are found. */
async function bundle(root: string): Promise<string> {
  const modules = join(root, 'test/all/sql/node_modules')
  if (!existsSync(modules)) throw new Skipped('pg is not installed: run `npm install` in test/all/sql')
  const outfile = join(modules, '.cache/worker.mjs')
  await build({
    entryPoints: [join(root, 'test/all/sql/worker.ts')],
    ...{ bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'error' },
  })
  return outfile
}
