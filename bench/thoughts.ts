/** Telling thoughts from content, in the pieces a model writes. */
import { deepStrictEqual, strictEqual } from 'node:assert'
import { run } from '../src/index.ts'
import { type ThoughtOutput, thoughtEvents, thoughtExtractor } from '../src/thoughts/index.ts'
import { piecesOf, wordsFrom } from './data.ts'
import { nsPer, type Row, race, ratio, type Timing } from './harness.ts'

const DELTA = 4

/** Characters in one sample: shorter texts are read several times. */
const SAMPLE = 4e6
const HOSTILE_SAMPLE = 1e6

/** Inputs that make a careless reader look at everything again and again. */
const hostile: Readonly<Record<string, (size: number) => string>> = {
  '`<` over and over': (size) => '<'.repeat(size),
  '`</` over and over, in a thought': (size) => `<thinking>${'</'.repeat(size / 2)}`,
  'quotes, in a tag that never ends': (size) => '<thinking a="\'" '.padEnd(size, '"\' a='),
  'tags that start, one in the other': (size) => '<thinking a="'.repeat(size / 13),
  backticks: (size) => '`'.repeat(size),
  'backticks and tags': (size) => '``<thinking>`'.repeat(size / 13),
}

export async function bench(rounds: number): Promise<Row[]> {
  return [...(await prose(rounds)), ...(await live(rounds)), ...(await adversaries(rounds))]
}

async function prose(rounds: number): Promise<Row[]> {
  const small = proseInPieces(1e5)
  const medium = proseInPieces(1e6)
  const large = proseInPieces(4e6)
  const times = await race(rounds, {
    small: () => again(SAMPLE / 1e5, () => extractSum(small)),
    medium: () => again(SAMPLE / 1e6, () => extractSum(medium)),
    large: () => extractSum(large),
    least: () => countMarks(large),
  })
  const growth = ratio(times.large, times.small)
  const rowOf = (size: string, time: Timing): Row => ({
    what: `thought extraction, ${size} of prose in ${DELTA}-character deltas`,
    measured: nsPer('character', time, SAMPLE),
    ratio: { ...ratio(time, times.least), against: 'one indexOf per delta' },
    budget: { figure: (time.median * 1e6) / SAMPLE, bound: 'at most', limit: 100, unit: 'ns' },
  })
  return [
    rowOf('100 KB', times.small),
    rowOf('1 MB', times.medium),
    rowOf('4 MB', times.large),
    {
      what: 'thought extraction, what a character takes in 4 MB against 100 KB',
      measured: `${nsPer('character', times.large, SAMPLE)}; ${nsPer('character', times.small, SAMPLE)}`,
      ratio: { ...growth, against: '100 KB' },
      budget: { figure: growth.typical, bound: 'at most', limit: 2, unit: 'x' },
    },
  ]
}

/** One thought of any length, streamed as events while the model writes it. */
async function live(rounds: number): Promise<Row[]> {
  const whole = piecesOf(`<thinking>${proseInPieces(4e6).join('').replaceAll('<', ' ')}`, DELTA)
  const start = whole.slice(0, 1e5 / DELTA)
  const times = await race(rounds, {
    whole: () => countEvents(whole),
    start: () => again(40, () => countEvents(start)),
  })
  return [
    {
      what: `live thought events, one thought of 4 MB in ${DELTA}-character deltas`,
      measured: nsPer('character', times.whole, 4e6),
      ratio: { ...ratio(times.whole, times.start), against: '100 KB, 40 times' },
      budget: { figure: (times.whole.median * 1e6) / 4e6, bound: 'at most', limit: 60, unit: 'ns' },
    },
  ]
}

function countEvents(pieces: readonly string[]): number {
  const events = run(thoughtEvents({ live: true }))
  let count = 0
  for (const piece of pieces) count += events.push(piece).length
  return count + events.end().length
}

async function adversaries(rounds: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, make] of Object.entries(hostile)) {
    const whole = piecesOf(make(HOSTILE_SAMPLE), DELTA)
    const tenth = piecesOf(make(HOSTILE_SAMPLE / 10), DELTA)
    deepStrictEqual(summaryOf(extract(tenth)), summaryOf(extract([tenth.join('')])))
    const times = await race(rounds, {
      whole: () => extractSum(whole),
      tenth: () => again(10, () => extractSum(tenth)),
    })
    rows.push({
      what: `thought extraction, hostile: ${name}, 1 MB`,
      measured: nsPer('character', times.whole, HOSTILE_SAMPLE),
      ratio: { ...ratio(times.whole, times.tenth), against: '100 KB, ten times' },
    })
  }
  return rows
}

function extract(pieces: readonly string[]): ThoughtOutput[] {
  const extractor = run(thoughtExtractor())
  return [...pieces.flatMap((piece) => extractor.push(piece)), ...extractor.end()]
}

/** Extracts and forgets. */
function extractSum(pieces: readonly string[]): number {
  const extractor = run(thoughtExtractor())
  let sum = 0
  for (const piece of pieces) for (const output of extractor.push(piece)) sum += weight(output)
  for (const output of extractor.end()) sum += weight(output)
  return sum
}

function weight(output: ThoughtOutput): number {
  return output.type === 'content' ? output.delta.length : 1
}

/** The least anybody could do with each delta. */
function countMarks(pieces: readonly string[]): number {
  let marks = 0
  for (const piece of pieces) if (piece.indexOf('<') !== -1) marks++
  return marks
}

function again(times: number, action: () => number): number {
  let sum = 0
  for (let i = 0; i < times; i++) sum += action()
  return sum
}

function contentOf(outputs: readonly ThoughtOutput[]): string {
  return outputs.map((output) => (output.type === 'content' ? output.delta : '')).join('')
}

/** What must not depend on where the text was cut. */
function summaryOf(outputs: readonly ThoughtOutput[]): unknown {
  const thoughts = outputs.flatMap((output) => (output.type === 'thought' ? [output.thought] : []))
  return { content: contentOf(outputs), thoughts }
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '')
}

/** Prose in pieces, after a check that what is in it is found. */
function proseInPieces(size: number): string[] {
  const { text, content, thoughts } = makeProse(size)
  const pieces = piecesOf(text, DELTA)
  const outputs = extract(pieces)
  const found = outputs.flatMap((output) => (output.type === 'thought' ? [output.thought.text] : []))
  deepStrictEqual(found, thoughts)
  // What is left of the space around a thought is a matter of taste.
  strictEqual(withoutSpace(contentOf(outputs)), withoutSpace(content))
  return pieces
}

/** `size` characters of prose with a thought of about 500 in every 4 KB, and what is to be found in it. */
function makeProse(size: number): { text: string; content: string; thoughts: string[] } {
  const words = wordsFrom(5)
  const thoughts: string[] = []
  let text = ''
  let content = ''
  const write = (speech: string): void => {
    const part = speech.slice(0, size - text.length)
    text += part
    content += part
  }
  while (size - text.length > 1000) {
    // Numbered, so that no thought is dropped as a duplicate.
    const thought = `${thoughts.length}:${words(100)}`
    thoughts.push(thought)
    text += `<thinking>${thought}</thinking>`
    write(`${words(710)}.\n\n`)
  }
  write(words(1000))
  return { text, content, thoughts }
}
