/** Creating elements. Text is only ever set as text, so that a recording cannot add markup. */

type Attribute = string | number | boolean | undefined
type Listener = (event: Event) => void

/**
 * Creates an element.
 *
 * @param properties - `class`, attributes by name, and listeners as `on…`. `true` sets an empty attribute; `false` and
 * `undefined` set none.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Readonly<Record<string, Attribute | Listener>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value)
    else setAttribute(element, name, value)
  }
  element.append(...children)
  return element
}

/** Sets an attribute, or removes it for `false` and `undefined`. Does nothing if it has the value. */
export function setAttribute(element: Element, name: string, value: Attribute): void {
  if (value === undefined || value === false) {
    element.removeAttribute(name)
    return
  }
  const text = value === true ? '' : String(value)
  if (element.getAttribute(name) !== text) element.setAttribute(name, text)
}

/** Sets the text of an element. Does nothing if it has that text. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** The element of the page with an id. */
export function byId<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T
}

/** Runs a function in the next frame, once for any number of calls before it. */
export function framed(update: () => void): () => void {
  let isPending = false
  return () => {
    if (isPending) return
    isPending = true
    requestAnimationFrame(() => {
      isPending = false
      update()
    })
  }
}

/** Lets the browser draw and handle input. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve)
  })
}
