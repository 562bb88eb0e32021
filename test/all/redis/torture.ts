/**
 * Two writers and eight readers in processes of their own, on a Redis that is killed, emptied and cut off, and whose replica is
 * promoted: each reader gets every event once and in order, or a reset, and every append ends by its deadline.
 */
import { deepStrictEqual, ok } from 'node:assert/strict'
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { type ContextAnyEvent, isTerminalStatus } from 'turnstream'
import { type RedisEventLog, redisLog } from 'turnstream/redis'
import { createStream, emptyView, foldEvents, type Snapshot, type View } from 'turnstream/streams'
import type { RedisLogOptions } from '../../../src/redis/options.ts'
import { clients } from './clients.ts'
import { type RedisPair, startPair } from './pair.ts'
import { idOf, type Report, type WorkerOptions } from './torture-report.ts'
import { type Place, Truth } from './torture-truth.ts'

/** How long a lease lasts: shorter than the longest pause of a stopped writer. */
const LEASE_MS = 1500
/** How long readers may take to come to the end: a deadline, a look whether Redis answers, and another deadline. */
const END_MS = 30_000
/** How long one stream is written to. */
const ROUND_MS = 25_000
/** What is kept, one of these for each stream: resets, evictions and snapshots that forget are rare or frequent. */
const LIMITS: readonly NonNullable<RedisLogOptions['limits']>[] = [
  { maxEvents: 400 },
  { maxEvents: 60, maxBytes: 16_000 },
  { maxBytes: 12_000 },
  { maxAgeMs: 2000 },
]
/** The keys of a stream that are deleted by hand, or evicted. */
const LOSSES = ['meta', 'events', 'snapshot', 'parents'] as const
const names = Object.keys(clients)

/** What has happened. */
const counts = {
  ...{ rounds: 0, appends: 0, events: 0, tasks: 0, kills: 0, pauses: 0, restarts: 0, flushes: 0, cuts: 0 },
  ...{ stops: 0, failovers: 0, repeats: 0 },
  ...{ lostKeys: 0, forgotten: 0 },
  ...{
    reconnects: 0,
    resets: 0,
    snapshots: 0,
    rejections: 0,
    leasesLost: 0,
    takeOvers: 0,
    lost: 0,
    doubled: 0,
    disordered: 0,
    late: 0,
  },
}

/** Runs for a number of seconds; resolves to what has happened. */
export async function torture(root: string, temporary: string, seconds: number): Promise<string> {
  const worker = await bundleWorker(root, temporary)
  const server = await startPair(temporary)
  try {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
      await new Round(worker, server, LIMITS[counts.rounds % LIMITS.length] ?? {}).run(
        Math.min(ROUND_MS, end - Date.now()),
      )
      counts.rounds++
    }
  } finally {
    await server.end()
  }
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}

/** One file, so that a process starts soon. */
async function bundleWorker(root: string, temporary: string): Promise<string> {
  const outfile = join(temporary, 'torture-worker.cjs')
  const entry = join(root, 'test/all/redis/torture-worker.ts')
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    logLevel: 'error',
  })
  return outfile
}

/** A process and what is known of it. */
interface Worker extends Place {
  readonly role: WorkerOptions['role']
  readonly client: string
  readonly isSlow: boolean
  child: ChildProcess | undefined
  /** Whether it has ever reported anything. */
  hasStarted: boolean
  /** Whether its latest reset had no events: it lacks what was before. */
  hasLost: boolean
  view: View | undefined
  end: View | undefined
  /** What it last did, with when it said so, and its last diagnostic. */
  last: string
  diagnostic: string
  checkpoint: { readonly cursor: WorkerOptions['cursor']; readonly view: View } | undefined
}

/** The life of one stream. */
class Round {
  private readonly truth = new Truth()
  private readonly stream = `torture/${randomUUID()}`
  private readonly workers: Worker[]
  private readonly file: string
  private readonly server: RedisPair
  private isOver = false
  private failure: unknown
  private readonly limits: NonNullable<RedisLogOptions['limits']>
  /** Whether Redis has lost events, and kept older ones in the snapshot: their tasks may never end. */
  private hasLostEvents = false
  private snapshot: Snapshot<ContextAnyEvent> | undefined
  /** What Redis knew of leases when a task had not ended. */
  private leases = ''
  private readonly accidents: string[] = []

  constructor(file: string, server: RedisPair, limits: NonNullable<RedisLogOptions['limits']>) {
    this.file = file
    this.server = server
    this.limits = limits
    const worker = (role: WorkerOptions['role'], i: number): Worker => ({
      ...{
        name: `${role} ${i}`,
        role,
        client: names[i % names.length] ?? '',
        isSlow: role === 'reader' && i < 2,
      },
      ...{
        child: undefined,
        hasStarted: false,
        hasLost: false,
        cursor: undefined,
        view: undefined,
        end: undefined,
        last: 'nothing',
        diagnostic: '',
        checkpoint: undefined,
      },
    })
    this.workers = [
      ...Array.from({ length: 2 }, (_, i) => worker('writer', i)),
      ...Array.from({ length: 8 }, (_, i) => worker('reader', i)),
    ]
  }

  async run(ms: number): Promise<void> {
    for (const worker of this.workers) this.start(worker)
    while (this.workers.some(({ hasStarted }) => !hasStarted)) await sleep(50)
    for (const end = Date.now() + ms; Date.now() < end && this.failure === undefined; ) {
      await this.disturb()
      await sleep(100 + Math.random() * 900)
    }
    await this.settle()
    for (const { child } of this.workers) child?.kill('SIGKILL')
    if (this.failure !== undefined) throw this.failure
    this.compare()
  }

  /** One accident. */
  private async disturb(): Promise<void> {
    const worker = this.workers[Math.floor(Math.random() * this.workers.length)] as Worker
    const { child } = worker
    const dice = Math.random()
    if (dice < 0.35 && child !== undefined) {
      this.count('kills')
      worker.child = undefined
      child.kill('SIGKILL')
      await once(child, 'exit')
      // What a killed reader had reported and not stored, it gets again.
      worker.cursor = worker.checkpoint?.cursor
      setTimeout(() => this.start(worker), Math.random() * 800)
    } else if (dice < 0.5 && child !== undefined) {
      this.count('pauses')
      child.kill('SIGSTOP')
      setTimeout(() => child.kill('SIGCONT'), Math.random() * LEASE_MS * 2.5)
    } else if (dice < 0.65) {
      this.count('restarts')
      await this.server.kill()
      await sleep(Math.random() * 500)
      // Without its file, a Redis starts empty.
      await this.server.start(Math.random() < 0.7 ? 'aof' : 'none')
    } else if (dice < 0.68) {
      this.count('stops')
      // Longer than the deadline of the workers: what they sent is carried out when it resumes.
      this.server.stop()
      await sleep(Math.random() * 6000)
      this.server.resume()
    } else if (dice < 0.72) {
      this.count('lostKeys')
      const key = LOSSES[Math.floor(Math.random() * LOSSES.length)]
      this.hasLostEvents ||= key === 'events'
      await this.cli('DEL', `turnstream:{${this.stream}}:${key}`)
    } else if (dice < 0.78) {
      this.count('flushes')
      await this.cli('FLUSHALL')
    } else if (dice < 0.88) {
      this.count('failovers')
      await this.server.failOver(Math.random() < 0.5)
    } else {
      this.count('cuts')
      await this.cli('CLIENT', 'KILL', 'TYPE', Math.random() < 0.5 ? 'normal' : 'pubsub')
    }
  }

  private count(accident: keyof typeof counts): void {
    counts[accident]++
    this.accidents.push(`${accident} ${new Date().toISOString()}`)
  }

  private start(worker: Worker): void {
    if (this.isOver && worker.role === 'writer') return
    const { role, client, isSlow, checkpoint } = worker
    const options: WorkerOptions = {
      ...{ role, client, isSlow, id: randomUUID().slice(0, 8), port: this.server.port },
      ...{ stream: this.stream, leaseMs: LEASE_MS, limits: this.limits },
      ...(checkpoint?.cursor !== undefined && { cursor: checkpoint.cursor, view: checkpoint.view }),
    }
    worker.cursor = checkpoint?.cursor
    // The view of a reader is longer than an argument of a process may be.
    const file = `${this.file}.${options.id}.json`
    writeFileSync(file, JSON.stringify(options))
    const child = fork(this.file, [file], { serialization: 'json' })
    worker.child = child
    child.on('message', (report: Report) => {
      // A killed process may have left reports behind.
      if (worker.child !== child || this.failure !== undefined) return
      worker.hasStarted = true
      worker.last = `${lastOf(report)} at ${new Date().toISOString()}`
      try {
        this.receive(worker, report)
      } catch (error) {
        this.failure = error
      }
    })
  }

  private receive(worker: Worker, report: Report): void {
    switch (report.type) {
      case 'appended':
        counts.appends++
        this.truth.appended(report)
        return
      case 'batch':
        counts.events += report.events.length
        this.truth.read(worker, report)
        return
      case 'reset':
        counts.resets++
        if (report.hasSnapshot) counts.snapshots++
        worker.hasLost = !report.hasSnapshot
        worker.cursor = report.cursor
        return
      case 'checkpoint':
        worker.checkpoint = report
        return
      case 'end':
        worker.end = report.view
        return
      case 'reconnected':
        counts.reconnects++
        return
      case 'repeated':
        counts.repeats++
        return
      case 'rejected':
        if (report.code === 'lease-lost') counts.leasesLost++
        else counts.rejections++
        return
      case 'late':
        counts.late++
        throw new Error(`${worker.name}: an append did not end by its deadline.`)
      case 'diagnostic':
        worker.diagnostic = `${report.text} at ${new Date().toISOString()}`
        return
      case 'failed':
        throw new Error(`${worker.name}: ${report.error}`)
    }
  }

  /** The writers die. The readers end their tasks; then the stream is closed, and all come to its end. */
  private async settle(): Promise<void> {
    this.isOver = true
    for (const { role, child } of this.workers) {
      child?.kill('SIGCONT')
      if (role === 'writer') child?.kill('SIGKILL')
    }
    await sleep(LEASE_MS * 4)
    const connected = await (clients[names[0] ?? ''] as (typeof clients)[string])(this.server.port)
    const log = await redisLog({ client: connected.client, stream: this.stream, limits: this.limits })
    // The leases have expired, but the readers of a busy machine may take a while to see it.
    const stream = createStream({ log })
    const isSettled = async (): Promise<boolean> => !shown(await stream.view()).some(isOpen)
    for (const end = Date.now() + 120_000; !(await isSettled()); await sleep(200)) {
      if (Date.now() < end) continue
      this.leases = await this.describeLeases()
      break
    }
    await this.expectOnce(log)
    await log.close()
    const readers = this.workers.filter(({ role }) => role === 'reader')
    const closedAt = Date.now()
    const late = (): Worker[] => readers.filter(({ end }) => end === undefined)
    while (late().length > 0 && this.failure === undefined && Date.now() < closedAt + END_MS) await sleep(100)
    if (this.failure === undefined && late().length > 0) this.failure = await this.explain(late(), closedAt)
    this.snapshot = await log.snapshot()
    connected.close()
  }

  /** What Redis knows of leases, and what has happened. */
  private async describeLeases(): Promise<string> {
    const index = await this.cli('ZRANGE', 'turnstream:leases', '0', '-1', 'WITHSCORES')
    const meta = await this.cli('HGETALL', `turnstream:{${this.stream}}:meta`)
    return `The index of leases: ${index} at ${await this.cli('TIME')} of ${meta} after ${this.accidents}. ${this.workers.map(({ name, diagnostic }) => `${name}: ${diagnostic}`).join('; ')}`
  }

  /** Sends a command, and resolves to its answer: this process carries it to the server. */
  private async cli(...args: string[]): Promise<string> {
    const all = ['-p', `${this.server.port}`, ...args]
    const { stdout } = await promisify(execFile)('redis-cli', all, { timeout: 2000 }).catch(() => ({
      stdout: '',
    }))
    return stdout
  }

  /** Why readers have not come to the end in time: whether they come later, and what they did last. */
  private async explain(late: readonly Worker[], closedAt: number): Promise<Error> {
    const before = late.map(({ name, client, last }) => `${name} (${client}) had last: ${last}`)
    const load = loadavg().map((each) => each.toFixed(1))
    const isAway = (): boolean => late.some(({ end }) => end === undefined)
    while (isAway() && Date.now() < closedAt + 4 * END_MS) await sleep(100)
    const after = late.map(
      ({ name, end, last }) => `${name} ${end === undefined ? 'never came' : 'came'}: ${last}`,
    )
    return new Error(
      `Readers were not at the end ${END_MS} ms after ${new Date(closedAt).toISOString()}, with a load of ${load}. ` +
        [...before, ...after, this.accidents].join('; '),
    )
  }

  /** What is stored is stored once, also across epochs, and the events of a writer in the order of its calls. */
  private async expectOnce(log: RedisEventLog): Promise<void> {
    const first = await log.read()
    const seq = first.type === 'reset' ? first.earliest - 1 : -1
    const ids = new Set<string>()
    /** Task → the latest of its calls. */
    const calls = new Map<string, number>()
    let at = { stream: this.stream, epoch: first.epoch, seq }
    for (;;) {
      const part = await log.read(at)
      if (part.type === 'reset' || part.through === part.after) return
      for (const event of part.events) {
        const id = idOf(event)
        // Readers end several tasks of one kind.
        ok(id.endsWith(' by a reader') || !ids.has(id), `a duplicate: ${id} is stored twice`)
        ids.add(id)
        const [task = '', call] = id.split('#')
        const before = calls.get(task) ?? -1
        ok(call === undefined || Number(call) > before, `disordered: ${id} comes after call ${before}`)
        if (call !== undefined) calls.set(task, Number(call))
      }
      at = { ...at, seq: part.through }
    }
  }

  /**
   * No two readers see a task differently, all see what the snapshot has, and no task is left open. A snapshot forgets
   * tasks that ended: readers that got it lack them. Without a snapshot, a reader lacks the beginning of tasks.
   */
  private compare(): void {
    const readers = this.workers.filter(({ role }) => role === 'reader')
    const known = new Map<string, ShownTask>()
    const all = this.snapshot === undefined ? [] : shown(foldEvents(emptyView, this.snapshot.events))
    for (const { name, end, hasLost } of readers) {
      const tasks = shown(end)
      const ids = new Set(tasks.map(({ taskId }) => taskId))
      const missing = hasLost ? [] : all.filter(({ taskId }) => !ids.has(taskId))
      deepStrictEqual(missing, [], `tasks that ${name} lacks`)
      for (const task of tasks) {
        ok(
          !isOpen(task) || this.hasLostEvents,
          `a task that did not end: ${name} has ${JSON.stringify(task)}, the snapshot ` +
            `${JSON.stringify(all.find(({ taskId }) => taskId === task.taskId))}. ${this.leases}`,
        )
        if (!task.isWhole) continue
        const other = known.get(task.taskId)
        if (other === undefined) known.set(task.taskId, task)
        else deepStrictEqual(task, other, `what ${name} and another reader see`)
      }
    }
    counts.tasks += known.size
    counts.forgotten += known.size - all.filter(({ taskId }) => known.has(taskId)).length
    counts.takeOvers += [...known.values()].filter(({ status }) => status === 'failed').length
  }
}

interface ShownTask {
  readonly taskId: string
  readonly isWhole: boolean
  readonly status: string | null
  readonly texts: readonly string[]
}

/** A report in few words. */
function lastOf(report: Report): string {
  switch (report.type) {
    case 'rejected':
      return `rejected ${report.code}`
    case 'batch':
    case 'reset':
      return `${report.type} to ${report.cursor.epoch} ${report.cursor.seq}`
    default:
      return report.type
  }
}

/** Whether a task has not ended, as a reader sees it. */
function isOpen({ status }: ShownTask): boolean {
  return status === null || !isTerminalStatus(status as never)
}

/** What a user sees of a view. */
function shown(view: View | undefined): ShownTask[] {
  return (view?.tasks ?? []).map(({ taskId, createdAt, status, parts }) => ({
    taskId,
    isWhole: createdAt !== undefined,
    status,
    texts: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  }))
}
