/**
 * The thread of `Slowness.ts`. It asks every `tickMs` how late its own timer is and, where Linux tells (`/proc/…/schedstat`), how long
 * the main thread and the child processes were ready to run without a core that ran them.
 *
 * It gets a time (milliseconds of the monotonic clock) as a message. At its next tick it answers with the `Slowness` since then.
 */
import { readdirSync, readFileSync } from "node:fs"
import { type MessagePort, parentPort } from "node:worker_threads"

export interface Slowness {
  /** How late the timer was at worst, in milliseconds. */
  readonly timerLateMs: number
  /** How long one thread waited for a core at worst within `windowMs`, in milliseconds. 0 where the system does not tell. */
  readonly waitedMs: number
}

const tickMs = 20
/** The time over which waiting for a core is added up, in milliseconds. */
export const windowMs = 500
/** How long measurements are kept, in milliseconds: longer than any story takes. */
const rememberedMs = 600_000

export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

/** The file's text; undefined when the process has ended or the system has no such file. */
const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

/** Milliseconds that the main thread of the process has been ready without a core. */
const waited = (pid: string): number | undefined => {
  const statistics = read(`/proc/${pid}/schedstat`)
  return statistics === undefined ? undefined : Number(statistics.split(" ")[1]) / 1e6
}

/** The process and all its descendants. */
const familyOf = (pid: string): ReadonlyArray<string> => {
  let threads: ReadonlyArray<string>
  try {
    threads = readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
  const children = threads.flatMap((thread) => (read(`/proc/${pid}/task/${thread}/children`) ?? "").split(" "))
  return [pid, ...children.filter((child) => child !== "").flatMap(familyOf)]
}

interface Tick extends Slowness {
  readonly at: number
}

const watch = (port: MessagePort) => {
  const ticks: Array<Tick> = []
  const asked: Array<number> = []
  port.on("message", (since: number) => asked.push(since))
  /** For each process: its total waiting time at each tick of the last window, oldest first. */
  const histories = new Map<string, Array<{ readonly at: number; readonly waited: number }>>()
  let family: ReadonlyArray<string> = []
  let count = 0
  let expected = monotonicMs() + tickMs
  const tick = () => {
    const at = monotonicMs()
    const timerLateMs = Math.max(0, at - expected)
    if (count++ % 10 === 0) family = familyOf(`${process.pid}`)
    let waitedMs = 0
    for (const pid of family) {
      const now = waited(pid)
      if (now === undefined) continue
      const history = histories.get(pid) ?? []
      histories.set(pid, history)
      history.push({ at, waited: now })
      while (history[0].at < at - windowMs) history.shift()
      waitedMs = Math.max(waitedMs, now - history[0].waited)
    }
    ticks.push({ at, timerLateMs, waitedMs })
    if (ticks[0].at < at - rememberedMs) ticks.shift()
    for (const since of asked.splice(0)) {
      const during = ticks.filter((one) => one.at >= since)
      const worst: Slowness = {
        timerLateMs: Math.max(...during.map((one) => one.timerLateMs)),
        waitedMs: Math.max(...during.map((one) => one.waitedMs))
      }
      port.postMessage(worst)
    }
    expected = monotonicMs() + tickMs
    setTimeout(tick, tickMs)
  }
  setTimeout(tick, tickMs)
}

if (parentPort !== null) watch(parentPort)
