import { type CommandDraft, createCommand, type Receipt } from 'turnstream/commands'

/** Sends a command, again if the connection fails: the server recognizes it by its id. */
export async function sendCommand(url: string, draft: CommandDraft, attempts = 3): Promise<Receipt> {
  const body = JSON.stringify(createCommand(draft))
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
      return (await response.json()) as Receipt
    } catch (error) {
      if (attempt === attempts) throw error
    }
  }
}
