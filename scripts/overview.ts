/** Draws the picture of the README and the site, in a light and a dark version. `--check` writes nothing. */
import { type Colors, writePictures } from './pictures.ts'

const WIDTH = 880
const HEIGHT = 236

/** The way of an answer, and what stands below each step. */
const steps = [
  ['model', 'OpenAI, Anthropic…'],
  ['events', 'typed, validated'],
  ['log', 'memory, Redis'],
  ['SSE', 'resumes after cuts'],
  ['view', 'React, Vue, Svelte…'],
] as const

/** Others who read the same events. */
const protocols = ['A2A', 'AG-UI', 'AI SDK', 'Python, Go, Rust…'] as const

function overview({ text, muted, line, box, accent }: Colors): string {
  const [width, gap, top] = [144, 36, 24]
  const boxes = steps.map(([name, about], i) => {
    const x = 8 + i * (width + gap)
    const middle = x + width / 2
    const arrow = i === 0 ? '' : arrowTo(x - gap + 4, top + 34, x - 6, top + 34)
    return `${arrow}${rectangle(x, top, width, 68, i === 1 ? accent : line)}
  <text x="${middle}" y="${top + 30}" class="name">${name}</text>
  <text x="${middle}" y="${top + 52}" class="about">${about}</text>`
  })
  const from = 8 + (width + gap) + width / 2
  const others = protocols.map((name, i) => {
    const x = from - 75 + i * 170
    const isFirst = i === 0
    const bus = isFirst ? `M${from} 98 V166` : `M${from} 132 H${x + 75} V166`
    return `<path d="${bus}"${isFirst ? ' class="both"' : ''}/>\n  ${rectangle(x, 172, 150, 40, line)}
  <text x="${x + 75}" y="197" class="about">${name}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title">
  <title id="title">A model's stream becomes events, kept in a log, sent over SSE and folded into a view. A2A, AG-UI and AI SDK clients and other languages read the same events.</title>
  <style>
    text { font-family: system-ui, sans-serif; text-anchor: middle }
    .name { font-size: 18px; font-weight: 600; fill: ${text} }
    .about { font-size: 13px; fill: ${muted} }
    rect { fill: ${box} }
    path { fill: none; stroke: ${line}; stroke-width: 1.5; marker-end: url(#tip) }
    .both { marker-start: url(#tip) }
  </style>
  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><polygon points="0,0 8,4 0,8" fill="${line}"/></marker></defs>
  ${[...boxes, ...others].join('\n  ')}
</svg>
`

  function rectangle(x: number, y: number, w: number, h: number, stroke: string): string {
    return `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="8" stroke="${stroke}" stroke-width="1.5"/>`
  }
  function arrowTo(x1: number, y1: number, x2: number, y2: number): string {
    return `<path d="M${x1} ${y1} L${x2} ${y2}"/>\n  `
  }
}

writePictures('overview', overview)
