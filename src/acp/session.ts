/** A session of ACP with one prompt, as drafts. */

import { Inbox } from '../core/inbox.ts'
import type { Diagnostic } from '../core/machine.ts'
import { onAbort } from '../core/on-abort.ts'
import { describeValue, requireObject } from '../core/require.ts'
import { timeLimit } from '../core/time-limit.ts'
import { startTimer, stopTimer } from '../core/timer.ts'
import { MAX_REQUESTS } from '../dialects/shared/limits.ts'
import { awake } from '../emitter/awake.ts'
import type { EventDraft } from '../emitter/event-draft.ts'
import type { AgentTask } from '../server/agent-task.ts'
import type { Fields } from '../validation/predicates.ts'
import { fieldsOf } from '../validation/read-fields.ts'
import { type AcpStream, Connection, type Incoming, WITHDRAW } from './connection.ts'
import { CANCELED, type Outcome, permission } from './permissions.ts'
import { AcpUpdates } from './read-updates.ts'
import { canceled, endOf, failureOf, late } from './session-end.ts'
import { startSession } from './start-session.ts'

/** What a session needs. */
export interface SessionSettings {
  readonly connect: (task: AgentTask) => AcpStream | PromiseLike<AcpStream>
  readonly cwd: string
  /** The id of the mode; `undefined`: the one that the agent begins with. */
  readonly mode: string | undefined
  readonly startTimeoutMs: number
  readonly report: (diagnostic: Diagnostic) => void
}

/** Milliseconds that an agent has to end a prompt that is canceled. */
const CANCEL_MS = 2000

/** What an agent may ask of its client here. */
const [UPDATE, PERMISSION] = ['session/update', 'session/request_permission']
const METHODS: readonly string[] = [UPDATE, PERMISSION, WITHDRAW]

/** What happens in a session. */
type Happening =
  | { readonly type: 'incoming'; readonly incoming: Incoming }
  | { readonly type: 'asked'; readonly id: unknown; readonly step: () => void; readonly draft: EventDraft }
  | { readonly type: 'answered'; readonly id: unknown; readonly outcome: Outcome }
  | { readonly type: 'ended'; readonly result: Fields }
  | { readonly type: 'failed'; readonly error: unknown }

/** A permission that waits for an answer: the question about it, once it is asked, and whether the agent has withdrawn it. */
interface Asking {
  inputId?: string
  isWithdrawn: boolean
}

/** A question that cannot be asked. */
class AskError extends Error {}

/**
 * Runs a session. The connection is closed before the last draft, and whenever the generator ends. An agent may continue while a
 * permission is asked for.
 */
export async function* session(task: AgentTask, settings: SessionSettings): AsyncGenerator<EventDraft> {
  const toEmit = awake()
  for await (const draft of draftsOf(task, settings)) yield* toEmit(draft)
}

async function* draftsOf(task: AgentTask, settings: SessionSettings): AsyncGenerator<EventDraft> {
  const { signal } = task
  const inbox = new Inbox<Happening>()
  const updates = new AcpUpdates(settings.report, task.needsApproval)
  let last: EventDraft
  let connection: Connection | undefined
  const limit = timeLimit(settings.startTimeoutMs, signal, () => late(settings.startTimeoutMs))
  try {
    const stream = await limit.wait(() => opened(task, settings, limit.signal))
    const peer = new Connection(
      stream,
      (incoming) => inbox.push({ type: 'incoming', incoming }),
      METHODS,
      inbox,
    )
    connection = peer
    const { sessionId, ...stated } = await limit.wait(() => startSession(peer, settings))
    if (!signal.aborted) yield* updates.session.begin(stated)
    const prompt = new Prompt(task, peer, sessionId, inbox, updates, settings.report)
    last = yield* prompt.read()
  } catch (error) {
    if (error instanceof AskError && !signal.aborted) throw error.cause
    last = signal.aborted ? canceled : failureOf(error, limit.isOver, task)
  } finally {
    await connection?.close()
  }
  if (!signal.aborted) yield* updates.end()
  yield last
}

/** The connection. One that opens too late is closed. */
async function opened(task: AgentTask, { connect }: SessionSettings, late: AbortSignal): Promise<AcpStream> {
  const stream = await connect(task)
  requireObject('connect()', stream)
  if (late.aborted) await new Connection(stream, () => {}, [], new Inbox()).close()
  return stream
}

/** The prompt of a session. */
class Prompt {
  readonly #task: AgentTask
  readonly #connection: Connection
  readonly #sessionId: string
  readonly #inbox: Inbox<Happening>
  readonly #updates: AcpUpdates
  readonly #report: (diagnostic: Diagnostic) => void
  /** Aborted when nobody waits for answers any more. */
  readonly #over = new AbortController()
  /** The permissions that wait for an answer, by the id of their requests. */
  readonly #asking = new Map<unknown, Asking>()
  #hasEnded = false
  #timer: unknown

  constructor(
    task: AgentTask,
    connection: Connection,
    sessionId: string,
    inbox: Inbox<Happening>,
    updates: AcpUpdates,
    report: (diagnostic: Diagnostic) => void,
  ) {
    this.#task = task
    this.#connection = connection
    this.#sessionId = sessionId
    this.#inbox = inbox
    this.#updates = updates
    this.#report = report
  }

  /** Yields what happens, and returns the end. Of a task that is canceled nothing more is yielded. */
  async *read(): AsyncGenerator<EventDraft, EventDraft> {
    const { input, signal } = this.#task
    const text = typeof input === 'string' ? input : JSON.stringify(input)
    const prompt = { sessionId: this.#sessionId, prompt: [{ type: 'text', text }] }
    this.#connection.request('session/prompt', prompt).then(
      (result) => {
        this.#hasEnded = true
        this.#inbox.push({ type: 'ended', result })
      },
      (error: unknown) => this.#fail(error, true),
    )
    const forget = onAbort(signal, () => this.cancel())
    if (signal.aborted) this.cancel()
    try {
      for (;;) {
        const happening = await this.#inbox.next()
        if (happening.type === 'failed') throw happening.error
        if (happening.type === 'ended') return this.#end(happening.result)
        const drafts = this.#take(happening)
        if (!signal.aborted) yield* drafts
        if (happening.type === 'asked') happening.step()
      }
    } finally {
      forget()
      this.cancel()
      stopTimer(this.#timer)
    }
  }

  /** Cancels the prompt unless it has ended. An agent that does not end it then is left. */
  cancel(): void {
    if (this.#over.signal.aborted) return
    this.#over.abort()
    if (this.#hasEnded) return
    this.#connection.notify('session/cancel', { sessionId: this.#sessionId })
    const error = new Error('The agent did not end a prompt that was canceled.')
    this.#timer = startTimer(() => this.#fail(error), CANCEL_MS)
  }

  #end(result: Fields): EventDraft {
    const end = endOf(result)
    if (result.usage != null && end.kind !== 'task-complete') {
      const message = 'Only a task that has completed has the usage of its prompt.'
      this.#report({ code: 'dropped:usage', message, detail: result.usage })
    }
    return end
  }

  #fail(error: unknown, hasEnded: boolean = this.#hasEnded): void {
    this.#hasEnded = hasEnded
    this.#inbox.push({ type: 'failed', error })
  }

  #take(happening: Happening): readonly EventDraft[] {
    if (happening.type === 'asked') return this.#asked(happening.id, happening.draft)
    if (happening.type === 'answered') {
      this.#asking.delete(happening.id)
      this.#connection.respond(happening.id, { outcome: happening.outcome })
      return []
    }
    return happening.type === 'incoming' ? this.#receive(happening.incoming) : []
  }

  /** A draft of a question. One that was withdrawn before is closed at once, and the task does not wait for it. */
  #asked(id: unknown, draft: EventDraft): readonly EventDraft[] {
    const asking = this.#asking.get(id)
    const isWithdrawn = asking?.isWithdrawn === true
    if (draft.kind !== 'input-required') return isWithdrawn ? [] : [draft]
    if (asking !== undefined) asking.inputId = draft.inputId
    return isWithdrawn ? [draft, withdrawn(draft.inputId)] : [draft]
  }

  /** Closes the question about a permission. Without another one, the task works again. */
  #withdraw(id: unknown): readonly EventDraft[] {
    const asking = this.#asking.get(id)
    if (asking === undefined || asking.isWithdrawn) return []
    asking.isWithdrawn = true
    if (asking.inputId === undefined) return []
    const isWaiting = [...this.#asking.values()].some(
      (each) => each.inputId !== undefined && !each.isWithdrawn,
    )
    return isWaiting ? [withdrawn(asking.inputId)] : [withdrawn(asking.inputId), working]
  }

  #receive({ method, id, params }: Incoming): readonly EventDraft[] {
    if (method === WITHDRAW) return this.#withdraw(params.requestId)
    const isPermission = method === PERMISSION
    const isOther = params.sessionId !== this.#sessionId
    if (isOther) {
      const message = `Expected session ${describeValue(this.#sessionId)}, got ${describeValue(params.sessionId)}.`
      this.#report({ code: `dropped:${method}`, message, path: '/params/sessionId' })
    }
    if (!isPermission) return isOther ? [] : this.#updates.read(fieldsOf(params.update))
    if (isOther || this.#over.signal.aborted || this.#asking.size >= MAX_REQUESTS || this.#asking.has(id)) {
      this.#connection.respond(id, { outcome: CANCELED })
      return []
    }
    const drafts = this.#updates.close()
    const asked = permission(this.#task, this.#updates.calls, params, this.#report)
    if (asked.outcome === undefined) {
      this.#ask(id, asked.ask(this.#over.signal))
      return drafts
    }
    this.#connection.respond(id, { outcome: asked.outcome })
    return [...drafts, ...asked.drafts]
  }

  /** Asks the user, while the agent continues. */
  #ask(id: unknown, asking: AsyncGenerator<EventDraft, Outcome>): void {
    this.#asking.set(id, { isWithdrawn: false })
    const answer = (outcome: Outcome): void => this.#inbox.push({ type: 'answered', id, outcome })
    const step = (): void => {
      asking.next().then(
        ({ done, value }) => {
          if (done) answer(value)
          else this.#inbox.push({ type: 'asked', id, step, draft: value })
        },
        (error: unknown) => {
          if (this.#over.signal.aborted) answer(CANCELED)
          else this.#fail(new AskError('The question was not asked.', { cause: error }))
        },
      )
    }
    step()
  }
}

const working: EventDraft = { kind: 'task-status', status: 'working' }

const withdrawn = (inputId: string): EventDraft => ({ kind: 'input-canceled', inputId, reason: 'withdrawn' })
