// Proves that nothing under src reads a clock, draws a random number, opens a socket, starts a timer or knows its host.

import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { globalUses } from './support/globals.ts'
import { type SourceFile, sourceFiles, syntaxTree, walk } from './support/sources.ts'

/** Globals that give the same for the same arguments on every host, whatever is done with them. */
const language = [
  ...[
    'Array',
    'ArrayBuffer',
    'BigInt',
    'Boolean',
    'DataView',
    'Map',
    'Number',
    'Object',
    'Promise',
    'RegExp',
  ],
  ...['Set', 'String', 'Symbol', 'WeakMap', 'WeakSet', 'JSON', 'Infinity', 'NaN'],
  ...['Error', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError'],
  ...['Float64Array', 'Int32Array', 'Uint8Array', 'Uint16Array', 'Uint32Array'],
  ...['decodeURIComponent', 'encodeURIComponent'],
]

/** The same of the web platform, which Node, Bun, Deno and workers have too. */
const platform = [
  ...['TextDecoder', 'TextEncoder', 'ReadableStream', 'TransformStream', 'WritableStream'],
  ...[
    'AbortController',
    'AbortSignal',
    'FormData',
    'URL',
    'URLSearchParams',
    'atob',
    'btoa',
    'structuredClone',
  ],
]

/** What is pure of `Math` and `Date`, which also have chance, the clock and the time zone of the host. */
const members = [
  ...['abs', 'cbrt', 'ceil', 'floor', 'imul', 'log2', 'max', 'min', 'round', 'sign', 'sqrt', 'trunc'].map(
    (name) => `Math.${name}`,
  ),
  ...['Date.parse', 'Date.UTC', 'new Date(…)'],
]

const pure = new Set([...language, ...platform, ...members])

/** Methods whose result depends on the language or the time zone of the host. */
const hostMethods =
  /^(?:toLocale\w*|localeCompare|toDateString|toTimeString|getTimezoneOffset|[gs]et(?:FullYear|Month|Date|Day|Hours|Minutes|Seconds))$/

/** Defaults of the platform, where one is needed to be usable in a few lines. Each can be replaced by an option. */
const exceptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'client/agent-client.ts': {
    'globalThis.addEventListener': 'a wait for the network ends as soon as it is there',
    'location.href': 'the URL that all tabs have of a path',
  },
  'client/commands.ts': { 'new Date()': 'the time of a command, which decides nothing' },
  'client/options.ts': { 'fetch(…)': 'the default of the option `fetch`' },
  'client/tabs.ts': {
    BroadcastChannel: 'what tabs of a browser send one another',
    navigator: 'whether the platform has locks',
    'navigator.locks': 'one tab reads at a time',
    'new BroadcastChannel(…)': 'what tabs of a browser send one another',
  },
  'commands/create.ts': { 'new Date()': 'the default of the option `now`' },
  'commands/wires/command-reader.ts': { 'new Date()': 'the default of the option `now`' },
  'core/random-id.ts': {
    'crypto.randomUUID': 'the default of the options `newId`',
    'crypto.getRandomValues': 'the same outside of secure contexts, where randomUUID is missing',
  },
  'core/timer.ts': {
    'setTimeout(…)':
      'renews leases, ends subscriptions that nobody reads, and closes requests that have expired',
    'clearTimeout(…)': 'the same',
  },
  'emitter/emitter.ts': { 'new Date()': 'the default of the option `now`' },
  'event-stream/response-error.ts': {
    'setTimeout(…)': 'ends the wait for the body of an error',
    'clearTimeout(…)': 'the same',
  },
  'server/handler/agent-handler.ts': {
    'new Response(…)': 'a handler is a function from requests to responses',
    'Response.json': 'the same',
  },
  'server/handler/options.ts': { 'console.error': 'the default of the option `onError`' },
  'server/handler/live-response.ts': { 'new Response(…)': 'the same' },
  'server/handler/problem.ts': { 'Response.json': 'the same' },
  'server/protocol/text-stream.ts': { 'performance.now': 'how long a reader has waited' },
  'dialects/ai-sdk/serve/ai-sdk.ts': {
    'Response.json': 'a protocol is a function from requests to responses',
    'new Response(…)': 'the same',
  },
  'dialects/a2a/serve/a2a.ts': { 'new Response(…)': 'the same', 'Response.json': 'the same' },
  'dialects/ag-ui/serve/ag-ui.ts': { 'new Response(…)': 'the same', 'Response.json': 'the same' },
  'dialects/openai/serve/chat-completions.ts': {
    'new Response(…)': 'the same',
    'Response.json': 'the same',
  },
  'dialects/ai-sdk/serve/chat-transport.ts': {
    'fetch(…)': 'the default of the option `fetch`',
    'new Response(…)': 'what a request that was ended answers',
  },
  'server/handler/to-node-listener.ts': {
    'new Headers()': 'makes the request for a handler',
    'new Request(…)': 'the same',
  },
  'otel/trace-events.ts': { 'Date.now': 'when an agent yields a draft' },
  'server/input-queue.ts': { 'performance.now': 'how long ago input was taken' },
  'server/store.ts': { 'Date.now': 'the default of the option `now`' },
  'testing/event-log-law.ts': {
    'setTimeout(…)': 'ends a test of a log that does not answer',
    'clearTimeout(…)': 'the same',
  },
  'streams/watch/watch-stream.ts': {
    'Math.random': 'the default of the option `random`',
    'Date.now': 'the default of the option `now`',
  },
  'streams/log/waiters.ts': { setImmediate: 'lets other work run between two slices' },
  'streams/serve/body.ts': { 'performance.now': 'since when a reader waits' },
  'redis/writer-port.ts': { 'performance.now': 'how long ago a lease was noted' },
  'streams/serve/heartbeat.ts': {
    'setTimeout(…)': 'the time to a heartbeat',
    'clearTimeout(…)': 'the same',
    'performance.now': 'how long a reader has waited',
  },
  'streams/serve/stream.ts': {
    'Date.now': 'the default of the option `now`',
  },
  'inspect/check/checker.ts': { 'import()': 'loads the rules of the dialect that was recognized' },
  'inspect/read/to-core-events.ts': { 'import()': 'the same for its reader' },
  'redis/state.ts': { 'crypto.randomUUID': 'the name of a commit' },
  'redis/operations.ts': {
    'crypto.randomUUID': 'the name of an epoch',
    'crypto.subtle': 'the name by which Redis caches the script',
  },
  'redis/options.ts': { 'setTimeout(…)': 'the default of the option `sleep`' },
  'dialects/a2a/from/from-a2a.ts': { 'Date.now': 'the default of the option `now`' },
  'dialects/ag-ui/from/options.ts': { 'Date.now': 'the default of the option `now`' },
  'dialects/ai-sdk/from/from-ui-message-stream.ts': { 'Date.now': 'the default of the option `now`' },
  'dialects/session/signed/hmac.ts': { 'crypto.subtle': 'signs and verifies; it has no state' },
  'validation/callbacks.ts': {
    Date: 'a clock may return one: `instanceof Date`',
  },
}

/** What a file uses that is not pure, once each, in order. */
function impurities(file: SourceFile): string[] {
  const found = new Set<string>()
  for (const { name, form } of globalUses(file)) if (!pure.has(name) && !pure.has(form)) found.add(form)
  walk(file, (node) => {
    const { name } = node as { name?: ts.Node }
    if (!ts.isPropertyAccessExpression(node) && !ts.isBindingElement(node)) return
    if (name !== undefined && ts.isIdentifier(name) && hostMethods.test(name.text)) found.add(`.${name.text}`)
  })
  return [...found]
}

/** The library. The command line and the page of the viewer are programs of their own: no entry point imports them, nor what they share. */
const libraryFiles = sourceFiles().filter(({ path }) => !/^(?:cli|live|viewer\/ui)\//.test(path))

describe('the library', () => {
  it.each(libraryFiles.map((file) => [file.path, file] as const))('%s is pure', (path, file) => {
    expect(impurities(file)).toEqual(Object.keys(exceptions[path] ?? {}))
  })
  it('has only exceptions that exist', () => {
    const paths = sourceFiles().map(({ path }) => path)
    expect(Object.keys(exceptions).filter((path) => !paths.includes(path))).toEqual([])
  })
})

/** The statements of a file that do something when it is loaded, besides declaring names. */
function effects(file: SourceFile): string[] {
  const source = syntaxTree(file)
  return source.statements
    .filter(
      (statement) =>
        !(
          ts.isImportDeclaration(statement) ||
          ts.isExportDeclaration(statement) ||
          ts.isVariableStatement(statement) ||
          ts.isFunctionDeclaration(statement) ||
          ts.isClassDeclaration(statement) ||
          ts.isInterfaceDeclaration(statement) ||
          ts.isTypeAliasDeclaration(statement)
        ),
    )
    .map((statement) => statement.getText(source))
}

// The build marks calls at the top level as pure, and bundlers drop unused modules: both rely on this.
describe('loading a module', () => {
  // The programs are the modules that run something.
  const programs = ['cli/main.ts', 'viewer/main.ts']
  const files = sourceFiles().filter(({ path }) => !programs.includes(path))
  it.each(files.map((file) => [file.path, file] as const))('of %s only declares names', (_, file) => {
    expect(effects(file)).toEqual([])
  })
  it.each<[text: string, count: number]>([
    ['const a = f()', 0],
    ["import './b.ts'\nexport * from './c.ts'", 0],
    ['register()', 1],
    ['for (const a of b) c[a] = 1', 1],
    ['if (a) b()', 1],
  ])('%s', (text, count) => {
    expect(effects({ path: 'sample.ts', text })).toHaveLength(count)
  })
})

describe('what is impure is found', () => {
  it.each<[text: string, found: string[]]>([
    ['const t = Date.now()', ['Date.now']],
    ['const clock = Date.now', ['Date.now']],
    ['const { now } = Date', ['Date']],
    ['const { now: clock } = Date', ['Date']],
    ["const t = Date['now']()", ['Date']],
    ['const clock = Date', ['Date']],
    ['const t = new Date()', ['new Date()']],
    ['const t = new Date', ['new Date()']],
    ['const t = new Date(0)', []],
    ['const t = Date.UTC(2026)', []],
    ['const t = Date()', ['Date(…)']],
    ['class Clock extends Date {}', ['Date']],
    ['const t = performance.now()', ['performance.now']],
    ['const n = Math.random()', ['Math.random']],
    ['const { random } = Math', ['Math']],
    ['const n = [1].map(Math.random)', ['Math.random']],
    ['const n = Math.floor(1.5)', []],
    ['crypto.randomUUID()', ['crypto.randomUUID']],
    ["await fetch('/')", ['fetch(…)']],
    ["await globalThis.fetch('/')", ['globalThis.fetch']],
    ['const { fetch } = globalThis', ['globalThis']],
    ['const options = { fetch }', ['fetch']],
    ['const request = fetch ?? other', ['fetch', 'other']],
    ['function f(get = fetch) {}', ['fetch']],
    ['const { get = fetch } = options()\nfunction options() { return {} }', ['fetch']],
    ["new WebSocket('ws://x')", ['new WebSocket(…)']],
    ["new EventSource('/')", ['new EventSource(…)']],
    ['new XMLHttpRequest()', ['new XMLHttpRequest()']],
    ["new Worker('x.js')", ['new Worker(…)']],
    ["const channel = new BroadcastChannel('a')", ['new BroadcastChannel(…)']],
    ['setTimeout(run, 1)\nfunction run() {}', ['setTimeout(…)']],
    ['const { setInterval } = globalThis', ['globalThis']],
    ['queueMicrotask(() => {})', ['queueMicrotask(…)']],
    ['requestAnimationFrame(() => {})', ['requestAnimationFrame(…)']],
    ['const language = navigator.language', ['navigator.language']],
    ["if (typeof window !== 'undefined') {}", ['window']],
    ['self.close()', ['self.close']],
    ["document.title = ''", ['document.title']],
    ['localStorage.a = 1', ['localStorage.a']],
    ['const zone = Intl.DateTimeFormat().resolvedOptions().timeZone', ['Intl.DateTimeFormat']],
    ['const text = (1.5).toLocaleString()', ['.toLocaleString']],
    ["const order = 'a'.localeCompare('b')", ['.localeCompare']],
    ['const hour = new Date(0).getHours()', ['.getHours']],
    ['const hour = new Date(0).getUTCHours()', []],
    ['console.log(1)', ['console.log']],
    ["import { readFileSync } from 'node:fs'", ['node:']],
    ["await import('node:fs')", ['import()', 'node:']],
    ['const here = import.meta.url', ['import.meta']],
    ['const home = process.env.HOME', ['process.env']],
    ["const fs = require('fs')", ['require(…)']],
    ["eval('1')", ['eval(…)']],
    ["new Function('return 1')", ['new Function(…)']],
    ['const weak = new WeakRef({})', ['new WeakRef(…)']],
  ])('%s', (text, found) => {
    expect(impurities({ path: 'sample.ts', text })).toEqual(found)
  })

  it.each([
    'const a = { process: 1 }; a.process',
    'function f(options: { fetch(url: string): void }) { options.fetch("/") }',
    'function f(fetch: (url: string) => void) { fetch("/") }',
    'import { fetch } from "./fetch.ts"\nfetch("/")',
    'import type { Window } from "./types.ts"\nexport type A = Window & Navigator',
    'interface Clock extends Omit<Date, "now"> { now(): Date }',
    'const names = ["fetch"]; for (const window of names) String(window)',
    'class Timer { setTimeout() {} }; new Timer().setTimeout()',
    'outer: for (;;) { break outer }',
    'try {} catch (self) { String(self) }',
    'function f() { return arguments.length }',
    'const { process: renamed } = { process: 1 }; String(renamed)',
    '/** const t = Date.now() */ // fetch(x)\nconst a = 1',
    "const text = 'Date.now() and process.exit()'",
    'const value = undefined',
  ])('nothing is in %s', (text) => {
    expect(impurities({ path: 'sample.ts', text })).toEqual([])
  })
})
