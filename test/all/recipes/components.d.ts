/** What the pages need of components, which only bundlers read. */
declare module '*.vue' {
  import type { Component } from 'vue'

  const component: Component
  export default component
}

declare module '*.svelte' {
  import type { Component } from 'svelte'

  const component: Component<{ url: string }>
  export default component
}
