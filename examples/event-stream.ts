/** The headers of a response that is an event stream. */
export const eventStreamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  // Keeps nginx from collecting the events.
  'x-accel-buffering': 'no',
}
