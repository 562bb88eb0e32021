/** Stores in SQL databases, on real servers and with real clients. */
import type { Step } from '../step.ts'
import { attacked } from './attacked.ts'
import { full } from './full.ts'
import { pgliteLaws, postgresLaws } from './laws.ts'
import { costs, idleReaders, killedWriters, manyWriters, onEach } from './processes.ts'
import { stopped } from './stopped.ts'
import { tablesAtOnce } from './tables-at-once.ts'

export const sqlSteps: readonly Step[] = [
  { name: 'sql: a log in Postgres keeps the promises of an EventLog', run: postgresLaws },
  { name: 'sql: the same in PGlite', run: pgliteLaws },
  { name: 'sql: processes that start together create the tables once', run: tablesAtOnce },
  { name: 'sql: four processes append to one stream', run: (lab) => onEach(lab, manyWriters) },
  { name: 'sql: kill -9 of a writer loses and doubles nothing', run: (lab) => onEach(lab, killedWriters) },
  { name: 'sql: attacks on the way back are refused in Postgres', run: attacked },
  { name: 'sql: every call ends by its deadline if Postgres is stopped', run: stopped },
  { name: 'sql: a disk that is full is named, and what is appended again is stored once', run: full },
  { name: 'sql: what an append costs', run: (lab) => onEach(lab, costs) },
  { name: 'sql: readers that wait cost nothing', run: (lab) => onEach(lab, idleReaders) },
]
