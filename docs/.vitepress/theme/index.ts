/** The theme of the site: that of VitePress, and the home page with its demonstration. */
import DefaultTheme from 'vitepress/theme'
import HomePage from './HomePage.vue'
import LiveDemo from './LiveDemo.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }: { app: { component(name: string, component: unknown): unknown } }): void {
    app.component('HomePage', HomePage)
    app.component('LiveDemo', LiveDemo)
  },
}
