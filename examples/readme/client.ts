import { readEvents } from 'agentwire'

/** Shows what an agent says and thinks. Returns when it is done. */
export async function chat(
  url: string,
  show: (text: string, as: 'speech' | 'thought') => void,
): Promise<void> {
  const response = await fetch(url)
  const onInvalid = ({ issues }: { issues: unknown }): void => console.warn('Left out:', issues)
  for await (const event of readEvents(response, { onInvalid })) {
    switch (event.kind) {
      case 'content-delta':
        show(event.delta, 'speech')
        break
      case 'thought-stream':
        show(event.content, 'thought')
        break
      case 'task-status':
        if (event.status === 'failed') throw new Error(event.error?.message ?? 'The task failed.')
        break
    }
  }
}
