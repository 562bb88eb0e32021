// Proves that the page holds all it needs, that its policy allows that alone, and that a recording stays text in it.
// Needs `npm run build`; `npm test` builds first.
import { createHash } from 'node:crypto'
import { Script } from 'node:vm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { viewerPage } from '../../src/cli/viewer/page.ts'
import { embedRecording } from '../../src/viewer/embed.ts'

let page = ''
beforeAll(async () => {
  page = await viewerPage(new URL('../../dist/', import.meta.url))
})

/** The content of the only element that begins with a tag. */
function contentOf(html: string, tag: string): string {
  const name = /\w+/.exec(tag)?.[0]
  const [, content = ''] = html.split(tag)
  return content.slice(0, content.indexOf(`</${name}>`))
}

describe('the page', () => {
  it.each(['script', 'style'])('has a policy with the hash of its %s', (name) => {
    const hash = createHash('sha256')
      .update(contentOf(page, `<${name}>`))
      .digest('base64')
    expect(page.split(`<${name}>`)).toHaveLength(2)
    expect(page).toContain(`${name}-src 'sha256-${hash}'`)
  })

  it('allows nothing else, and asks nothing of the network', () => {
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy).not.toMatch(/unsafe|data: .*script/)
    const markup = page.replace(contentOf(page, '<script>'), '').replace(contentOf(page, '<style>'), '')
    expect(markup).not.toMatch(/\s(?:style|on\w+)=/)
    expect([...markup.matchAll(/\s(?:src|href|action)="([^"]*)"/g)].map(([, url]) => url)).toEqual(['data:,'])
    expect(contentOf(page, '<style>')).not.toMatch(/url\(|@import/)
  })

  it('has a script without imports', () => {
    const script = contentOf(page, '<script>')
    expect(() => new Script(script)).not.toThrow()
    expect(script).not.toMatch(/\bimport\b\s*[({"]/)
  })

  it('has ids that are unique, and labels that exist', () => {
    const markup = page.replace(contentOf(page, '<script>'), '')
    const ids = [...markup.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const labels = [...markup.matchAll(/aria-labelledby="([^"]*)"/g)].map(([, id]) => id)
    expect(labels.filter((id) => !ids.includes(id))).toEqual([])
  })
})

describe('a recording in the page', () => {
  const opening = '<script type="application/json" id="recording">'
  const hostile = fc.array(
    fc.constantFrom('</script>', '<!--', '<script>', ']]>', '\u2028', '$&', '$`', '\\', '"', 'a', '\ud800'),
  )

  it('is read back as it is, and cannot end its element', () => {
    const template = `<body>${opening}</script><script>a</script></body>`
    fc.assert(
      fc.property(hostile, fc.string(), (parts, name) => {
        const text = parts.join('')
        const html = embedRecording(template, { name, text })
        const content = contentOf(html, opening)
        expect(content).not.toContain('<')
        expect(JSON.parse(content)).toEqual({ name, text })
        expect(html.replace(content, '')).toBe(template)
      }),
    )
  })

  it('leaves room for an example, and the other way round', () => {
    const example = embedRecording(page, { name: 'e', text: 'example' }, 'example-recording')
    const both = embedRecording(example, { name: 'a', text: 'b' })
    expect(JSON.parse(contentOf(both, opening))).toEqual({ name: 'a', text: 'b' })
    const place = '<script type="application/json" id="example-recording">'
    expect(JSON.parse(contentOf(both, place))).toEqual({ name: 'e', text: 'example' })
  })

  it('leaves the rest of the page as it is', () => {
    const html = embedRecording(page, { name: 'a', text: 'b' })
    expect(html.length).toBe(page.length + JSON.stringify({ name: 'a', text: 'b' }).length)
  })

  it('needs the page', () => {
    expect(() => embedRecording('<p>', { name: '', text: '' })).toThrow(TypeError)
  })
})
