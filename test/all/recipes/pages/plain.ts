import { showStream } from '../../../../examples/recipes/client/plain.ts'

showStream('/streams/answer', document.body).catch((error: unknown) => {
  document.body.textContent = String(error)
})
