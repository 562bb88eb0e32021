/** What is measured, in the order of the page. */

/** Rows that are measured together, by `bench` of `bench/rows/<name>.ts`. */
export interface Group {
  readonly name: string
  readonly title: string
  /**
   * - `source`: needs nothing but the package, so that a test can run it on the sources
   * - `installed`: needs the packed package and its peers
   * - `once`: the same on every version of Node
   */
  readonly needs: 'source' | 'installed' | 'once'
}

export const groups: readonly Group[] = [
  {
    name: 'decode',
    title: 'bytes → validated events, against `TextDecoder` + `indexOf` + `JSON.parse`',
    needs: 'source',
  },
  { name: 'peers', title: 'bytes → events, peers against turnstream', needs: 'installed' },
  { name: 'validate', title: 'what validation adds to `JSON.parse`', needs: 'source' },
  {
    name: 'invalid',
    title: '`decodeEvent` of an invalid event of 2 MB, against its `JSON.parse`',
    needs: 'source',
  },
  { name: 'memory', title: 'the same of 8 MB, peak memory', needs: 'installed' },
  { name: 'imports', title: 'CPU time of the first import in a process', needs: 'installed' },
  { name: 'encode', title: 'writing, against `JSON.stringify`', needs: 'source' },
  { name: 'thoughts', title: 'per character, in deltas of 4', needs: 'source' },
  { name: 'fold', title: 'reducing one delta', needs: 'source' },
  { name: 'verify', title: 'million events per second', needs: 'source' },
  { name: 'streams', title: 'per event and connection', needs: 'source' },
  { name: 'broadcast', title: 'per event and reader', needs: 'source' },
  { name: 'clients', title: 'memory in use', needs: 'installed' },
  { name: 'routing', title: 'per event', needs: 'source' },
  {
    name: 'mappers',
    title: 'mapping a task of 10 000 events, per input; growth: against a tenth of the task',
    needs: 'source',
  },
  { name: 'sizes', title: 'minified and compressed, from the packed package, by esbuild', needs: 'once' },
]
