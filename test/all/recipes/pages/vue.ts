import { createApp } from 'vue'
import Answer from '../../../../examples/recipes/client/Answer.vue'

createApp(Answer, { url: '/streams/answer' }).mount(document.body)
