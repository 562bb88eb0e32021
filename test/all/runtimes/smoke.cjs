/** Runs the checks on the CommonJS files of the package, and prints the verdict as one line of JSON. */
const core = require('agentwire')
const sse = require('agentwire/sse')
const thoughts = require('agentwire/thoughts')

import('./checks.mjs')
  .then(({ check }) => check({ core, sse, thoughts }))
  .then((verdict) => console.log(JSON.stringify({ runtime: process.version, ...verdict })))
