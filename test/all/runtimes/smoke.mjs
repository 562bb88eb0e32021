/** Runs the checks on the ES modules of the package, and prints the verdict as one line of JSON. */
import * as core from 'agentwire'
import * as sse from 'agentwire/sse'
import * as thoughts from 'agentwire/thoughts'
import * as zod from 'agentwire/zod'
import { check } from './checks.mjs'

const { navigator, process } = globalThis
console.log(
  JSON.stringify({
    runtime: navigator?.userAgent ?? process?.version,
    ...(await check({ core, sse, thoughts, zod })),
  }),
)
