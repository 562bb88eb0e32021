/** Runs the checks on the ES modules of the package, and prints the verdict as one line of JSON. */
import * as core from 'turnstream'
import * as sse from 'turnstream/sse'
import * as thoughts from 'turnstream/thoughts'
import * as zod from 'turnstream/zod'
import { check } from './checks.mjs'

const { navigator, process } = globalThis
console.log(
  JSON.stringify({
    runtime: navigator?.userAgent ?? process?.version,
    ...(await check({ core, sse, thoughts, zod })),
  }),
)
