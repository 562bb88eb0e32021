/** Runs the checks on the CommonJS files of the package, and prints the verdict as one line of JSON. */
const core = require('turnstream')
const sse = require('turnstream/sse')
const thoughts = require('turnstream/thoughts')
const zod = require('turnstream/zod')

import('./checks.mjs')
  .then(({ check }) => check({ core, sse, thoughts, zod }))
  .then((verdict) => console.log(JSON.stringify({ runtime: process.version, ...verdict })))
