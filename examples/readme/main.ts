import { chat } from './client.ts'
import { serve } from './server.ts'

// In place of a model.
const server = serve(async function* (prompt) {
  yield* ['<thinking>A greeting', '.</thinking>', `You wrote “${prompt}”.`]
})
server.listen(3000, async () => {
  console.log(await chat('http://localhost:3000/?prompt=Hello', console.log))
})
