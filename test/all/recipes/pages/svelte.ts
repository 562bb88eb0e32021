import { mount } from 'svelte'
import Answer from '../../../../examples/recipes/client/Answer.svelte'

mount(Answer, { target: document.body, props: { url: '/streams/answer' } })
