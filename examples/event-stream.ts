/** The response headers of an event stream. */
export const eventStreamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  // Disables buffering in nginx.
  'x-accel-buffering': 'no',
}
