#!/usr/bin/env node
/** `parley`: the process of the sound, which loads nothing of the rest, or any other command. */
const [command, ...args] = process.argv.slice(2)
// A process that has a parent leaves it to that one. A terminal sends it to all.
if (process.send !== undefined) process.on("SIGHUP", () => undefined)
if (command === "media") {
  const { run } = await import("./cli/process/media.ts")
  await run(args, process.env.NODE_ENV === "production")
} else {
  // An engine whose calls have their sound in another process, or its spare.
  if (process.env.PARLEY_MEDIA_SOCKETS) {
    const { yieldToSound } = await import("./cli/process/yieldToSound.ts")
    yieldToSound()
  }
  if (process.env.PARLEY_SPARE !== undefined) {
    const { begun } = await import("./cli/spare.ts")
    await begun()
  }
  await import("./cli/parley.ts")
}
