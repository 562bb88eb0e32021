/** Operations that write: which statements, in which order. */
import type { SqlDatabase, SqlStatement, SqlValue } from './database.ts'
import { type Statements, statements } from './statements.ts'

/** Values by the names of parameters. */
export type Values = Readonly<Record<string, SqlValue>>

/** A link that an event states: the keys of a task and of its parent, and the number of the event. */
export type Link = readonly [child: string, parent: string, at: number]

/** A statement of an operation. */
interface Step {
  readonly run: keyof Statements
  /** Only if this parameter is not null. */
  readonly if?: string
  /** Once for each of the links. */
  readonly each?: true
}

/** An operation that Postgres runs as a function. */
export interface Operation {
  readonly steps: readonly Step[]
  /** The last statement, whose rows are the result. */
  readonly result: keyof Statements
  /** The types of the parameters of Postgres, in the order of the function. */
  readonly params: Readonly<Record<string, 'text' | 'bigint'>>
  /** The columns of the result. */
  readonly columns: string
}

type Params = Operation['params']

const tasksAndEvents: Params = { new_tasks: 'text', count: 'bigint', events: 'text', links: 'text' }
const always: Params = {
  stream: 'text',
  writer: 'text',
  new_epoch: 'text',
  channel: 'text',
  payload: 'text',
} as const

/** The operations by their names. */
export const operations: Readonly<Record<'append' | 'commit', Operation>> = {
  append: {
    steps: [
      { run: 'tasks', if: 'new_tasks' },
      { run: 'hold' },
      { run: 'append' },
      { run: 'link', each: true },
      { run: 'join', each: true },
      { run: 'advance' },
    ],
    result: 'numbers',
    params: {
      ...always,
      ...tasksAndEvents,
      ...{
        number: 'bigint',
        floor: 'bigint',
        state: 'text',
        tasks: 'text',
        lease_ms: 'bigint',
        now: 'bigint',
      },
    },
    columns:
      'epoch text, closed int, state text, tasks text, last bigint, number bigint, seq bigint, count bigint',
  },
  commit: {
    steps: [
      { run: 'tasks', if: 'new_tasks' },
      { run: 'introduce', if: 'number' },
      { run: 'commit' },
      { run: 'commitEvents', if: 'events' },
      { run: 'commitLink', each: true },
      { run: 'join', each: true },
      { run: 'advance', if: 'events' },
    ],
    result: 'committed',
    params: {
      ...always,
      ...tasksAndEvents,
      ...{ commit_id: 'text', epoch: 'text', next: 'bigint', version: 'bigint', ledger: 'text' },
      ...{ own: 'text', number: 'bigint' },
    },
    columns: 'closed int, version bigint, committed int',
  },
}

/** A parameter in a text: its name after a colon. */
const PARAMETER = /:([a-z_]+)/g

const bound = new Map<string, { readonly text: string; readonly names: readonly string[] }>()

/** A statement with the parameters that it has, by their names. */
export function bind(text: string, values: Values): SqlStatement {
  let known = bound.get(text)
  if (known === undefined) {
    const names: string[] = []
    const numbered = text.replace(PARAMETER, (_, name: string) => {
      if (!names.includes(name)) names.push(name)
      return `$${names.indexOf(name) + 1}`
    })
    known = { text: numbered, names }
    bound.set(text, known)
  }
  return { text: known.text, params: known.names.map((name) => values[name] ?? null) }
}

/** An operation as a list of statements. The rows of the last one are its result. */
export function listOf(
  dialect: SqlDatabase['dialect'],
  { steps, result }: Operation,
  values: Values,
  links: readonly Link[],
): SqlStatement[] {
  const all = statements[dialect]
  const list = opening(dialect).map((name) => bind(all[name], values))
  for (const step of steps) {
    if (step.if !== undefined && (values[step.if] ?? null) === null) continue
    if (step.each === undefined) list.push(bind(all[step.run], values))
    else
      for (const [child, parent, at] of links)
        list.push(bind(all[step.run], { ...values, child, parent, at }))
  }
  if (dialect === 'postgres') list.push(bind(all.notify, values))
  return [...list, bind(all[result], values)]
}

/** The call of the function that an operation is on Postgres. */
export function callOf(name: keyof typeof operations, values: Values, links: readonly Link[]): SqlStatement {
  const names = Object.keys(operations[name].params)
  const all: Values = { ...values, links: links.length === 0 ? null : JSON.stringify(links) }
  return bind(`SELECT * FROM ${functionName(name)}(${names.map((each) => `:${each}`).join(', ')})`, all)
}

/** The statement that creates the function of an operation. Its rows are those of the list. */
export function functionOf(name: keyof typeof operations): string {
  const { steps, result, params, columns }: Operation = operations[name]
  const all = statements.postgres
  const inside = (text: string): string => text.replace(PARAMETER, (_, parameter: string) => `p_${parameter}`)
  const lines = opening('postgres').map((each) => `${performed(inside(all[each]))};`)
  for (const step of steps) {
    const text = inside(all[step.run])
    if (step.if !== undefined) lines.push(`IF p_${step.if} IS NOT NULL THEN ${text}; END IF;`)
    else if (step.each === undefined) lines.push(`${text};`)
    else
      lines.push(`IF p_links IS NOT NULL THEN
    FOR p_child, p_parent, p_at IN SELECT v ->> 0, v ->> 1, CAST(v ->> 2 AS BIGINT) FROM json_array_elements(CAST(p_links AS json)) AS j(v)
    LOOP ${text}; END LOOP; END IF;`)
  }
  lines.push(`${performed(inside(all.notify))};`, `RETURN QUERY ${inside(all[result])};`)
  const given = Object.entries(params).map(([parameter, type]) => `p_${parameter} ${type}`)
  return `CREATE OR REPLACE FUNCTION ${functionName(name)}(${given.join(', ')}) RETURNS TABLE (${columns}) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $turnstream$
#variable_conflict use_column
DECLARE p_child text; p_parent text; p_at bigint;
BEGIN
  ${lines.join('\n  ')}
END $turnstream$`
}

/** Whether a database has the functions. */
export const hasFunctions: string = `SELECT ${Object.entries<Operation>(operations)
  .map(
    ([name, { params }]) =>
      `to_regprocedure('${functionName(name)}(${Object.values(params).join(', ')})') IS NOT NULL`,
  )
  .join(' AND ')} AS found`

/** What each operation begins with. */
function opening(dialect: SqlDatabase['dialect']): (keyof Statements)[] {
  return dialect === 'postgres' ? ['lock', 'identify'] : []
}

function functionName(operation: string): string {
  return `turnstream_${operation}`
}

/** A query whose rows nobody reads, as PL/pgSQL has it. */
function performed(text: string): string {
  return text.replace(/^SELECT/, 'PERFORM')
}
