/** Response headers. */

/** The headers of a response that is an event stream. `x-accel-buffering` keeps nginx from holding events back. */
export const eventStreamHeaders: {
  readonly 'content-type': 'text/event-stream'
  readonly 'cache-control': 'no-cache'
  readonly 'x-accel-buffering': 'no'
} = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}
