import { watchStream } from 'turnstream/streams'

/** Shows the text of each task of a stream, until its end. Rejects if the server refuses it, such as with status 403. */
export async function showStream(url: string, element: HTMLElement, stop?: AbortSignal): Promise<void> {
  const connect = (lastEventId: string | undefined, signal: AbortSignal): Promise<Response> =>
    fetch(url, { headers: lastEventId ? { 'last-event-id': lastEventId } : {}, signal })
  for await (const { view } of watchStream(connect, { signal: stop })) {
    const paragraphs = view.tasks.map(({ parts }) => {
      const paragraph = document.createElement('p')
      paragraph.textContent = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
      return paragraph
    })
    element.replaceChildren(...paragraphs)
  }
}
