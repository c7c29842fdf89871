/**
 * Tells "the machine was too slow" from "the program was wrong", for stories that play in real time.
 *
 *   import { playsInRealTime } from "../support/Slowness.ts"
 *   playsInRealTime()
 *   describe("…", …)
 *
 * When a test of such a file fails and the machine was punctual meanwhile, it fails at once: the program is to blame. When the machine is
 * proven to have been slow, the test fails with "the machine was too slow: …" besides its own error, and is run again, at most twice
 * (`retry` in `vitest.config.ts` asks for that message). A machine that stays slow leaves the test failed with that message. A test that
 * passes stays passed, however slow the machine was.
 *
 * A separate thread (`SlownessWatch.ts`) measures, so that our code that blocks the event loop is not mistaken for a slow machine:
 * - how late that thread's timer is;
 * - on Linux, how long the main thread of this process, and of those that it started, was ready to run but got no core. A main thread
 *   that computes all the time does not wait on an idle machine, so a program that is too slow by itself is not excused.
 * One case cannot be told apart: a program that starts more busy processes than there are cores makes the machine slow itself. It still fails,
 * after the last run.
 *
 * A test that is run again starts from its beginning, with the layers and hooks of its file as they are. It must not depend on anything that the
 * first run has left: it uses new names or a world of its own, for example.
 */
import { Worker } from "node:worker_threads"
import { afterAll, afterEach, beforeAll, beforeEach, type TestContext } from "vitest"
import { monotonicMs, type Slowness, windowMs } from "./SlownessWatch.ts"

/** From these delays on a machine is called slow. Quiet machines stay below a quarter of them. */
const slow: Slowness = { timerLateMs: 50, waitedMs: 100 }

/** The first words of the failure when the machine is to blame; `vitest.config.ts` has the same words. */
export const tooSlow = "the machine was too slow"

/** The message that a failed test gets besides its own error; undefined when the machine was fast enough. */
export const blame = ({ timerLateMs, waitedMs }: Slowness): string | undefined =>
  timerLateMs < slow.timerLateMs && waitedMs < slow.waitedMs
    ? undefined
    : `${tooSlow}: its timer was ${Math.round(timerLateMs)} ms late, and a thread waited ${Math.round(waitedMs)} of ${windowMs} ms for a core`

/** Starts to measure. */
export const watchMachine = async () => {
  const thread = new Worker(new URL("./SlownessWatch.ts", import.meta.url))
  await new Promise<void>((started, failed) => {
    thread.once("online", started)
    thread.once("error", failed)
  })
  // The end of the test run does not wait for this thread.
  thread.unref()
  const waiting: Array<(slowness: Slowness) => void> = []
  thread.on("message", (slowness: Slowness) => waiting.shift()?.(slowness))
  return {
    /** The worst since a moment of `monotonicMs`, at most ten minutes ago. */
    since: (moment: number) =>
      new Promise<Slowness>((answered) => {
        waiting.push(answered)
        thread.postMessage(moment)
      }),
    stop: async () => {
      await thread.terminate()
    }
  }
}

/** Watches every test of the file, or of the `describe` in which this is called, including concurrent tests. */
export const playsInRealTime = (): void => {
  let machine: Awaited<ReturnType<typeof watchMachine>>
  const begun = new WeakMap<TestContext["task"], number>()
  beforeAll(async () => {
    machine = await watchMachine()
  })
  beforeEach(({ task }) => void begun.set(task, monotonicMs()))
  afterEach(async ({ task }) => {
    const since = begun.get(task)
    if (task.result?.state !== "fail" || since === undefined) return
    const message = blame(await machine.since(since))
    if (message !== undefined) throw new Error(message)
  })
  afterAll(() => machine.stop())
}
