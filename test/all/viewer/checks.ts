/** What must hold for the page at any time: its policy, its names for screen readers, its contrast and its width. */
import type { Page } from 'playwright-core'

/** Faults of the page that the browser reported so far: violations of its policy, errors, requests. */
export async function watchFaults(page: Page, url: string): Promise<() => Promise<string[]>> {
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(`error: ${message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    if (request.url() !== url && !/^(?:data|blob):/.test(request.url()))
      faults.push(`request: ${request.url()}`)
  })
  // tsx marks functions with their names, also those that run in the page.
  await page.addInitScript('globalThis.__name = (value) => value')
  await page.addInitScript(() => {
    const found: string[] = []
    Object.assign(globalThis, { violations: found })
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      found.push(`policy: ${violatedDirective} ${blockedURI}`)
    })
  })
  return async () => [
    ...faults,
    ...(await page.evaluate(() => (globalThis as unknown as { violations: string[] }).violations)),
  ]
}

const NAMED = new Set([
  ...[
    'button',
    'textbox',
    'searchbox',
    'combobox',
    'slider',
    'checkbox',
    'tree',
    'treeitem',
    'listbox',
    'option',
  ],
  ...['region', 'dialog', 'navigation', 'group'],
])

/** Elements that a screen reader has no name for. */
export async function unnamed(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes
    .filter(({ ignored, role }) => !ignored && NAMED.has(String(role?.value)))
    .filter(({ name }) => String(name?.value ?? '').trim() === '')
    .map(({ role, nodeId }) => `${role?.value} ${nodeId}`)
}

/** Visible texts with a contrast below 4.5, each once. */
export function paleTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Color = [number, number, number, number]
    const colorOf = (text: string): Color => {
      const [r = 0, g = 0, b = 0, a = 1] = (text.match(/[\d.]+/g) ?? []).map(Number)
      return [r, g, b, a]
    }
    const over = ([r, g, b, a]: Color, [R, G, B]: Color): Color => [
      r * a + R * (1 - a),
      g * a + G * (1 - a),
      b * a + B * (1 - a),
      1,
    ]
    const luminance = ([r, g, b]: Color): number => {
      const [R = 0, G = 0, B = 0] = [r, g, b].map((channel) => {
        const share = channel / 255
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * R + 0.7152 * G + 0.0722 * B
    }
    const backgroundOf = (element: Element | null): Color => {
      if (element === null) return [255, 255, 255, 1]
      const own = colorOf(getComputedStyle(element).backgroundColor)
      return own[3] === 1 ? own : over(own, backgroundOf(element.parentElement))
    }
    const opacityOf = (element: Element | null): number =>
      element === null ? 1 : Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement)
    const pale = new Set<string>()
    for (const element of document.body.querySelectorAll('*')) {
      const text = [...element.childNodes]
        .filter(({ nodeType }) => nodeType === 3)
        .map((node) => node.textContent)
      if (text.join('').trim() === '' || !element.checkVisibility({ visibilityProperty: true })) continue
      if (element.matches(':disabled, script, style, option, optgroup')) continue
      const background = backgroundOf(element)
      const [r, g, b, a] = colorOf(getComputedStyle(element).color)
      const front = over([r, g, b, a * opacityOf(element)], background)
      const [dark = 0, light = 0] = [luminance(front), luminance(background)].sort((x, y) => x - y)
      const contrast = (light + 0.05) / (dark + 0.05)
      if (contrast < 4.5) {
        pale.add(
          `${element.tagName} .${element.className} "${text.join('').trim().slice(0, 20)}": ${contrast.toFixed(2)}`,
        )
      }
    }
    return [...pale]
  })
}

/** How far the page is wider than its window, in pixels. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
}

/** Buttons that are not whole in the window. */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('button')]
      .filter((button) => button.checkVisibility())
      .filter((button) => {
        const { left, right } = button.getBoundingClientRect()
        return left < 0 || right > innerWidth
      })
      .map((button) => button.textContent ?? ''),
  )
}
