/** Prints the processor time of a run: that of all worker threads. */
export const setup = (): (() => void) => {
  return () => {
    const { user, system } = process.cpuUsage()
    console.log(`Processor time: ${((user + system) / 1e6).toFixed(0)} s`)
  }
}
