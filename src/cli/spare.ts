/** A spare worker: it has loaded the service and waits until its supervisor lets it begin, or is gone. */
// Before schemas are made, as in `parley.ts`.
import "effect/schema/SchemaJITCompiler/enable"
import type { ToSpare } from "./process/SpareWorker.ts"

/** Resolves when the process is to begin, with its environment. */
export const begun = async (): Promise<void> => {
  const begins = new Promise<void>((resolve) => {
    // Nothing else keeps a process that only waits.
    const waits = setInterval(() => undefined, 60_000)
    // A process that only waits has nothing to finish.
    const end = () => process.exit(0)
    const hear = (message: ToSpare) => {
      if (message.type !== "begin") return end()
      clearInterval(waits)
      process.off("message", hear)
      process.off("disconnect", end)
      delete process.env.PARLEY_SPARE
      Object.assign(process.env, message.env)
      resolve()
    }
    process.on("message", hear)
    process.on("disconnect", end)
  })
  await import("./serve.ts")
  await import("./process/server.ts")
  return begins
}
