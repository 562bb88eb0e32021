/** Extracting thoughts from what a model writes, four characters at a time. */
import { strictEqual } from 'node:assert'
import { run } from 'turnstream'
import { thoughtEvents, thoughtExtractor } from 'turnstream/thoughts'
import { piecesOf, wordsFrom } from '../support/data.ts'
import { race, type Timing } from '../support/race.ts'
import { atMost, type Effort, nsEach, type Row } from '../support/row.ts'

const DELTA = 4
const SMALL = 64_000
const LARGE = 4_000_000

/** What is measured: a machine, and the text it gets. */
const subjects: Readonly<Record<string, readonly [make: () => Extractor, text: (length: number) => string]>> =
  {
    '`thoughtExtractor`, a thought of 500 characters in every 4 KB': [() => run(thoughtExtractor()), prose],
    '`thoughtEvents({ live: true })`, the same': [() => run(thoughtEvents({ live: true })), prose],
    '`thoughtEvents({ live: true })`, one thought': [
      () => run(thoughtEvents({ live: true, maxThoughtLength: LARGE })),
      (length) => `<thinking>${prose(length).replace(/<\/?thinking>/g, ' ')}`,
    ],
  }

/** Text that makes a careless reader look at everything again and again. */
const hostile: Readonly<Record<string, (length: number) => string>> = {
  '`<` over and over': (length) => '<'.repeat(length),
  '`</` over and over, in a thought': (length) => `<thinking>${'</'.repeat(length / 2)}`,
  'quotes, in a tag that never ends': (length) => '<thinking a="\'" '.padEnd(length, '"\' a='),
  'backticks and tags': (length) => '``<thinking>`'.repeat(length / 13),
}

/** An extractor with its state. */
interface Extractor {
  push(piece: string): readonly object[]
  end(): readonly object[]
}

export async function bench({ rounds, scale }: Effort): Promise<Row[]> {
  const rows: Row[] = []
  for (const [what, [make, text]] of Object.entries(subjects)) {
    rows.push(...(await growing(Math.ceil(rounds / 2), what, make, text, scale)))
  }
  for (const [what, text] of Object.entries(hostile)) {
    const length = SMALL * scale
    const pieces = piecesOf(text(length), DELTA)
    const { time } = await race(Math.ceil(rounds / 2), {
      time: () => extract(run(thoughtExtractor()), pieces),
    })
    rows.push({ what: `\`thoughtExtractor\`, ${what}, 64 KB`, figure: nsEach(time, length), unit: 'ns' })
  }
  return rows
}

async function growing(
  rounds: number,
  what: string,
  make: () => Extractor,
  text: (length: number) => string,
  scale: number,
): Promise<Row[]> {
  const small = piecesOf(text(SMALL * scale), DELTA)
  const medium = piecesOf(text(1e6 * scale), DELTA)
  const large = piecesOf(text(LARGE * scale), DELTA)
  strictEqual(extract(make(), small), extract(make(), [small.join('')]))
  const times = await race(rounds, {
    // Long enough to be measured.
    small: () => extract(make(), small) + extract(make(), small) + extract(make(), small),
    medium: () => extract(make(), medium),
    large: () => extract(make(), large),
  })
  const rowOf = (size: string, time: Timing, length: number): Row => {
    return { what: `${what}, ${size}`, figure: nsEach(time, length * scale), unit: 'ns', budget: atMost(60) }
  }
  const perSmall = nsEach(times.small, 3 * SMALL * scale)
  const growth = nsEach(times.large, LARGE * scale) / perSmall
  return [
    rowOf('64 KB', times.small, 3 * SMALL),
    rowOf('1 MB', times.medium, 1e6),
    rowOf('4 MB', times.large, LARGE),
    { what: `${what}, 4 MB against 64 KB`, figure: growth, unit: '×', budget: atMost(1.5) },
  ]
}

/** Extracts and forgets. The same for the same text, however it is cut. */
function extract({ push, end }: Extractor, pieces: readonly string[]): number {
  let length = 0
  const add = (outputs: Iterable<object>): void => {
    for (const output of outputs) if ('delta' in output) length += (output.delta as string).length
  }
  for (const piece of pieces) add(push(piece))
  add(end())
  return length
}

/** `length` characters of prose with thoughts. */
function prose(length: number): string {
  const words = wordsFrom(5)
  let text = ''
  // Numbered, so that no thought is dropped as a duplicate.
  for (let n = 0; text.length < length; n++)
    text += `<thinking>${n}:${words(100)}</thinking>${words(710)}.\n\n`
  return text.slice(0, length)
}
