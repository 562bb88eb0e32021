// Proves what frameworks show of a client, each with its own package. React in a page is in test/all/chromium.
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { readable } from 'svelte/store'
import type { AgentState } from 'turnstream/client'
import { useAgent } from 'turnstream/react'
import { expect, it, vi } from 'vitest'
import { effectScope, onScopeDispose, shallowRef } from 'vue'
import { isDone, openShop, textsOf } from './pages.ts'

it('renders in React on a server, what was saved included', async () => {
  const { page, url } = await openShop()
  const { client, until } = page('ann')
  await client.send('Hello')
  await until(isDone(1))
  const saved = client.save()
  function Page() {
    const { send, ...state } = useAgent(url, { saved })
    return createElement('form', { action: send }, textsOf(state).join(), state.connection)
  }
  expect(renderToString(createElement(Page))).toContain('Hello &gt; You said Hello')
})

it('is a ref of Vue', async () => {
  const { page } = await openShop()
  const { client } = page('ann')
  const scope = effectScope()
  const state = scope.run(() => {
    const state = shallowRef(client.getSnapshot())
    onScopeDispose(client.subscribe(() => (state.value = client.getSnapshot())))
    return state
  })
  await client.send('Hello')
  await vi.waitFor(() => expect(state?.value && textsOf(state.value)).toEqual(['Hello > You said Hello']))
  scope.stop()
})

it('is a store of Svelte', async () => {
  const { page } = await openShop()
  const { client } = page('ann')
  const state = readable(client.getSnapshot(), (set) => client.subscribe(() => set(client.getSnapshot())))
  let shown: AgentState | undefined
  const leave = state.subscribe((now) => {
    shown = now
  })
  await client.send('Hello')
  await vi.waitFor(() => expect(shown && textsOf(shown)).toEqual(['Hello > You said Hello']))
  leave()
})
