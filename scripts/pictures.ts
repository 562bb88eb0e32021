/** Pictures of the README and the site: SVG in docs/public, each in a light and a dark version. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Colors {
  readonly text: string
  readonly muted: string
  readonly line: string
  readonly box: string
  readonly accent: string
  /** A second series beside `accent`. */
  readonly second: string
}

const themes: Readonly<Record<string, Colors>> = {
  light: {
    text: '#1f2328',
    muted: '#59636e',
    line: '#9aa4af',
    box: '#f6f8fa',
    accent: '#0969da',
    second: '#7fb3ec',
  },
  dark: {
    text: '#f0f6fc',
    muted: '#9198a1',
    line: '#656c76',
    box: '#151b23',
    accent: '#4493f8',
    second: '#2a5c9e',
  },
}

/** Writes `docs/public/<name>-light.svg` and `-dark.svg`; with `--check`, only reports those that are out of date. */
export function writePictures(name: string, draw: (colors: Colors) => string): void {
  for (const [theme, colors] of Object.entries(themes)) {
    const file = `docs/public/${name}-${theme}.svg`
    const path = fileURLToPath(new URL(`../${file}`, import.meta.url))
    const image = draw(colors)
    if (!process.argv.includes('--check')) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, image)
    } else if (readFileSync(path, 'utf8') !== image) {
      console.error(`${file} is out of date: run \`npm run gen\`.`)
      process.exitCode = 1
    }
  }
}
