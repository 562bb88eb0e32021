/** Runs the checks on the CommonJS files of the package, and prints the verdict as one line of JSON. */
const core = require('agentwire')
const sse = require('agentwire/sse')
const thoughts = require('agentwire/thoughts')
const zod = require('agentwire/zod')

import('./checks.mjs')
  .then(({ check }) => check({ core, sse, thoughts, zod }))
  .then((verdict) => console.log(JSON.stringify({ runtime: process.version, ...verdict })))
