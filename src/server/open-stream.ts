/** A stream over a log: one queue for all that is written, and the ledger that decides what may be. */

import { type LedgerOptions, ledgerMachine } from '../commands/ledger/ledger.ts'
import {
  hasEnded,
  isRunning,
  latestTime,
  openRequests,
  requestsBelow,
  runningTasks,
  senderMayAccess,
  stoppedTasks,
  tasksBelow,
} from '../commands/ledger/read.ts'
import type { EditCheck } from '../commands/ledger/types.ts'
import { type AccessedStream, accessRules } from '../commands/ledger/who.ts'
import { inTime } from '../core/deadline.ts'
import type { Diagnostic } from '../core/machine.ts'
import type { Mutable } from '../core/mutable.ts'
import { optional, requireFunction, requireObject, requireText } from '../core/require.ts'
import { pause } from '../core/timer.ts'
import { taskEvents } from '../emitter/task-events.ts'
import type { ContextAnyEvent, TaskName } from '../events/event.ts'
import { requireReader } from '../streams/access/reader.ts'
import { defaultViewer, type Viewer } from '../streams/access/viewer.ts'
import { itemKey } from '../streams/context-key.ts'
import type { EventLog, StateLog } from '../streams/log/event-log.ts'
import { hasLeases } from '../streams/log/lease-log.ts'
import { filterOf, type ReadFilter } from '../streams/log/read-filter.ts'
import { newestPage } from '../streams/serve/newest-page.ts'
import { readView } from '../streams/serve/read-view.ts'
import { createStream } from '../streams/serve/stream.ts'
import { historyPage, requireHistoryOptions } from '../streams/view/snapshot/history-page.ts'
import { readMilliseconds } from '../validation/callbacks.ts'
import { Appending } from './appending.ts'
import { type AskingHost, approveCalls, askFor } from './ask.ts'
import { requireApproval, requireQuestion } from './ask-options.ts'
import { within } from './deadline.ts'
import { FollowChanges } from './follow-changes.ts'
import { Inputs, type WhileRunning } from './inputs.ts'
import { type Applied, type InputOf, Ledger } from './ledger.ts'
import { withDeadlines } from './log-with-deadlines.ts'
import { OneProcessLog, storesState } from './one-process.ts'
import { queueOf } from './queue.ts'
import { readable, receiptIn, requireSender } from './receipt-in.ts'
import { runTask, type TaskHost } from './run-task.ts'
import { Runs } from './runs.ts'
import { stoppedBy } from './stop-at-once.ts'
import { StoreError } from './store-error.ts'
import type { AgentInput, Stream } from './stream.ts'
import { isContextId, type NamePair } from './stream-name.ts'
import { eventsOf, type OnLeaseExpired, type TakenOver, TakeOver } from './take-over.ts'
import { keyOf } from './untaken.ts'
import { claimVerifier, isClaim } from './verify-auth.ts'
import { ledgerWaits } from './waits.ts'

/** What the streams of a store share. */
export interface StreamSettings {
  readonly timeoutMs: number
  readonly now: () => number
  readonly ledger: LedgerOptions
  readonly onError: ((error: unknown) => void) | undefined
  readonly onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined
  readonly leaseMs: number
  readonly onLeaseExpired: OnLeaseExpired | undefined
  /** Whether the calls of its logs end by themselves. */
  readonly hasDeadlines: boolean
}

/** How long it waits for what others have stored before it answers from what is known. */
const REFRESH_MS = 1000

/** How long a command that is repeated waits for its input to be taken, and how often it looks. */
const UNTAKEN_MS = 3000
const UNTAKEN_POLL_MS = 50

/** A stream, and where its input goes. */
export interface OpenedStream {
  readonly stream: Stream
  /** Whether a task runs here, or waits for an answer. */
  isBusy(): boolean
  /** Sets whose stream and which conversation it is, unless that is known. */
  namedBy(pair: NamePair): void
  /** Sets who takes input, unless somebody does. */
  listen(onInput: OnInput, whileRunning: WhileRunning): Promise<void>
  /** Whether a take-over is to be tried again. */
  hasFailed(): boolean
  /** Whether nothing is being taken over, nor to be. */
  hasTakenOver(): boolean
  /** Takes over what has expired. Omitted: the log has no leases. */
  readonly takeOver?: () => Promise<TakenOver | undefined>
}

export type OnInput = (stream: Stream, input: AgentInput) => unknown

export async function openStream(
  name: string,
  pair: NamePair | undefined,
  given: EventLog,
  settings: StreamSettings,
  onRelease: () => void,
): Promise<OpenedStream> {
  const { timeoutMs, now, ledger: options, onError, onDiagnostic, leaseMs, onLeaseExpired } = settings
  const accessed: Mutable<AccessedStream> = { name }
  let contextOfStream: string | undefined
  const namedBy = ({ owner, contextId }: NamePair): void => {
    accessed.owner ??= owner
    if (isContextId(contextId)) contextOfStream ??= contextId
  }
  if (pair !== undefined) namedBy(pair)
  const isShared = storesState(given)
  const ending = settings.hasDeadlines ? given : withDeadlines(given, name, timeoutMs)
  const own = storesState(ending) ? undefined : new OneProcessLog(ending)
  const log: StateLog = own ?? (ending as StateLog)
  const served = createStream({
    log: given,
    ...(onError && { onError }),
    ...(onDiagnostic && { onDiagnostic }),
  })
  const machine = ledgerMachine(options, {
    stream: accessed,
    takesInput: (task) => inputs.takesInput(task),
    contextOfStream: () => contextOfStream,
    checkEditOf: (request) => editChecks.get(itemKey(request, request.id)),
    keepsAnswers: true,
  })
  const ledger = new Ledger(machine, name, log)
  const time = (): string => new Date(readMilliseconds(now)).toISOString()
  const leases = hasLeases(given) ? given : undefined
  const runs = new Runs()
  const inputs = new Inputs({
    ...{ ledger, runs, leases, leaseMs, onDiagnostic, time },
    apply,
    update: (state) => waits.update(state),
    retry: () => waits.retry(),
    contextOfStream: () => contextOfStream,
    isReleased: () => isReleased,
  })
  let isReleased = false
  /** What checks the edits of requests whose agents wait here, by `itemKey`. */
  const editChecks = new Map<string, EditCheck>()
  const inOrder = queueOf(given, name)
  /** The reads that have not ended. */
  const reads = new Set<Promise<unknown>>()

  function requireOpen(what: string): void {
    if (isReleased)
      throw new StoreError(
        'released',
        `Expected an open stream for ${what}, got "${name}", which was released.`,
      )
  }

  /** Runs a task after those before it, unless its deadline has passed by then. */
  function ordered<T>(what: string, task: () => Promise<T>): Promise<T> {
    // What has passed its deadline has been rejected: its result is of no interest.
    return within(timeoutMs, `${what} of stream "${name}"`, (isOver) =>
      inOrder(async () => (isOver() ? (undefined as T) : task())),
    )
  }

  /** Reads for a viewer. */
  function reading<T>(
    what: string,
    viewer: Viewer | 'all',
    read: (filter: ReadFilter | undefined) => Promise<T>,
  ): Promise<T> {
    requireReader('viewer', viewer)
    const filter = viewer === 'all' ? undefined : filterOf<ContextAnyEvent>(viewer, {}, undefined)
    return within(timeoutMs, `${what} of stream "${name}"`, () => {
      const result = read(filter)
      reads.add(result)
      return result.finally(() => reads.delete(result))
    })
  }

  const change = (input?: InputOf): Promise<Applied> => ordered('a change', () => inputs.apply(input))

  /** A change that nothing asks for once the stream is released: what runs then makes its own. */
  async function apply(input?: InputOf): Promise<Applied> {
    requireOpen('a change')
    return change(input)
  }

  const following = isShared ? new FollowChanges(log, () => apply().catch(() => waits.retry())) : undefined

  const waits = ledgerWaits({
    initial: ledger.state,
    now,
    onExpiry: () => apply(() => ({ type: 'time', at: time() })),
    onWait: () => void following?.start(),
    onAnswer: (answer) => ledger.given.add(answer),
  })

  const host: TaskHost = {
    append: (event, task) => appending.append(event, task),
    signalOf: (task) => waits.signalOf(task),
    refresh: () => change(),
    time,
    get state() {
      return ledger.state
    },
    get isReleased() {
      return isReleased
    },
  }

  const asking: AskingHost = {
    options,
    refresh: host.refresh,
    answer: waits.answer,
    checkEdits(request, check) {
      const key = itemKey(request, request.inputId)
      editChecks.set(key, check)
      return () => {
        if (editChecks.get(key) === check) editChecks.delete(key)
      }
    },
    get state() {
      return ledger.state
    },
  }

  const verifying = claimVerifier({ machine, timeoutMs, time, apply, verifyAuth: options.verifyAuth })

  const appending = new Appending({
    ...{ stream: name, log, isShared, options, ledger },
    inTime: (task) => within(timeoutMs, `an append of stream "${name}"`, task),
    inOrder,
    apply: (input, repeated) => inputs.apply(input, repeated),
    report: (diagnostics) => inputs.report(diagnostics),
  })

  const stream: Stream = {
    log: given,
    ...(options.needsApproval !== undefined && { needsApproval: options.needsApproval }),
    respond: served.respond,
    async append(event) {
      // What runs still has its own events.
      if (runs.tasks().length === 0) requireOpen('an event')
      return appending.append(event)
    },
    async submit(value, sender) {
      requireSender(sender)
      const command = readable(value)
      requireOpen('a command')
      // Any other command takes its turn at once.
      const verification = isClaim(command) ? await verifying(command, sender) : undefined
      if (verification?.refused !== undefined) return verification.refused
      for (let waited = 0; ; waited += UNTAKEN_POLL_MS) {
        const input = { type: 'command', command, sender, at: time(), ...verification } as const
        const applying = apply((state, untaken) => ({
          ...input,
          isBusy: inputs.isBusy(command, state, untaken),
        }))
        const stopped = stoppedBy(machine, ledger.state, input, runs.tasks())
        if (stopped !== undefined) waits.stop(stopped.state)
        const applied = await applying.catch((error: unknown) => {
          if (stopped?.receipt === undefined) throw error
          return { receipt: stopped.receipt }
        })
        if ('receipt' in applied) return applied.receipt
        const { out, untaken } = applied
        const receipt = receiptIn(out)
        const key = keyOf({ sender, command })
        if (receipt.status !== 'repeated' || !inputs.isUntaken(untaken, key)) return receipt
        if (waited >= UNTAKEN_MS) {
          const message = `Expected the input of command "${receipt.commandId}" to be taken within ${UNTAKEN_MS} ms. Send it again.`
          throw new StoreError('unavailable', message)
        }
        await pause(UNTAKEN_POLL_MS)
      }
    },
    async run(task, agent) {
      requireObject('task', task)
      requireFunction('agent', agent)
      const { contextId, taskId, input, owner } = task
      optional(requireText, 'owner', owner)
      requireOpen('a task')
      await inputs.begin(task)
      if (owner !== undefined) await apply(() => ({ type: 'owner', contextId, taskId, owner }))
      let failure: { readonly error: unknown } | undefined
      const fail = (error: unknown): void => {
        // What it throws after the end is of no interest.
        if (!hasEnded(ledger.state, task)) failure ??= { error }
      }
      const name = { contextId, taskId }
      const written = async function* (signal: AbortSignal): AsyncGenerator<ContextAnyEvent> {
        const hasBegun = isRunning(ledger.state, task)
        const events = taskEvents(agent, {
          ...{ contextId, taskId, signal, onError: fail, now: () => latestTime(ledger.state, time()) },
          ...(input !== undefined && { input }),
          ...(hasBegun && { after: await eventsOf(log, [name]) }),
        })
        for await (const event of events) if (!hasBegun || event.kind !== 'task-created') yield event
      }
      requireOpen('a task')
      await runs.run(name, (stopped) => runTask(host, name, written, stopped))
      if (failure !== undefined) throw failure.error
    },
    mayAccess(sender) {
      requireSender(sender)
      return senderMayAccess(ledger.state, accessRules(options, accessed), sender)
    },
    async requests() {
      await inTime(change(), REFRESH_MS, true)
      return openRequests(ledger.state)
    },
    approve(calls, how) {
      requireApproval(calls, how, options)
      return approveCalls(asking, calls, how)
    },
    ask(how) {
      requireQuestion(how)
      return askFor(asking, how)
    },
    answer: waits.answer,
    inputs(task) {
      requireObject('task', task)
      requireText('task.contextId', task.contextId)
      requireText('task.taskId', task.taskId)
      return inputs.read({ contextId: task.contextId, taskId: task.taskId })
    },
    signalOf: waits.signalOf,
    view: async (viewer = defaultViewer) => reading('the view', viewer, (filter) => readView(log, filter)),
    async history(how) {
      requireHistoryOptions('options', how, ['viewer'])
      const { viewer, ...page } = how
      return reading('a page of the history', viewer, async (filter) => {
        const newest = await newestPage(given, filter, page)
        return newest?.page ?? historyPage(await readView(log, filter), page)
      })
    },
    close: () => ordered('the end', served.close),
    async release() {
      onRelease()
      isReleased = true
      following?.stop()
      inputs.close()
      const waiting = runs.tasks().filter((task) => requestsBelow(ledger.state, task).length > 0)
      for (const task of waiting) {
        const message = `The stream was released while the task "${task.taskId}" waited for an answer.`
        void runs.stop(task, new StoreError('released', message))
      }
      waits.close()
      await within(timeoutMs, `the release of stream "${name}"`, async () => {
        for (const root of waiting) {
          await taking.settle({ root, tasks: tasksBelow(ledger.state, root) }).catch(() => undefined)
        }
        // What has begun would ask a client that is closed by then.
        await taking.settled()
        await inOrder(async () => own?.end())
        await runs.settled((task) => isIn(waiting, task) || hasEnded(ledger.state, task))
        await Promise.allSettled(reads)
        // What is held here may end here. If the process ends before, its lease expires, and others end it.
        const held = [...runs.tasks().filter((task) => !isIn(waiting, task)), ...taking.unsettled]
        if (held.length === 0) return leases?.release()
        // Of what was appended last, the state may not know yet.
        await change().catch(() => undefined)
        const below = (tasks: readonly TaskName[]) => tasks.flatMap((task) => tasksBelow(ledger.state, task))
        const kept = below(held)
        const open = below([...runningTasks(ledger.state), ...stoppedTasks(ledger.state)])
        await leases?.release(open.filter((task) => !isIn(kept, task)))
      })
    },
  }

  const taking = new TakeOver({
    ...{ stream, leases, onLeaseExpired, isShared, time },
    isWaiting: (task) => inputs.isWaiting(task),
    park: (task) => inOrder(() => inputs.park(task)),
    append: (event) => appending.append(event),
    refresh: () => change(),
    report: (diagnostics) => inputs.report(diagnostics),
    get state() {
      return ledger.state
    },
  })
  await apply()
  following?.startLater()
  return {
    stream,
    isBusy: () => runs.tasks().length > 0 || openRequests(ledger.state).length > 0,
    namedBy,
    hasFailed: () => taking.hasFailed,
    hasTakenOver: () => taking.isDone,
    async listen(onInput, whileRunning) {
      if (inputs.hasTaker) return
      inputs.setTaker({ take: (input) => onInput(stream, input), whileRunning })
      // What an earlier process has left.
      await apply()
    },
    // What a released stream took over, nobody would try again.
    ...(leases && { takeOver: async () => (isReleased ? undefined : taking.look()) }),
  }
}

function isIn(tasks: readonly TaskName[], { contextId, taskId }: TaskName): boolean {
  return tasks.some((task) => task.contextId === contextId && task.taskId === taskId)
}
