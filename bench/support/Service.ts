/** Parley as a user runs it: `parley serve` in a process of its own, whose processor time and memory can be read. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, open, readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import type { Settings } from "../../src/config/Environment.ts"
import { environmentOf } from "../../src/config/EnvironmentOf.ts"
import type { ProbeQuestion, Reading } from "./Probe.ts"

const main = resolve(import.meta.dirname, "..", "..", "src", "main.ts")
const logFolder = resolve(import.meta.dirname, "..", "results")
const readyWithinMs = 60_000
const stopWithinMs = 10_000

export interface Usage {
  /** Processor time since the process began. */
  readonly cpuSeconds: number
  readonly residentBytes: number
}

export interface LaunchOptions {
  /** `all` by default. */
  readonly role?: "all" | "app" | "engine"
  /** More than one: processes that share the port. */
  readonly workers?: number
  /** `process`: the sound of calls is in a process of its own, beside the engine. `inside` by default. */
  readonly sound?: "inside" | "process"
  /** With the sound apart: a spare engine waits beside it. */
  readonly spare?: boolean | undefined
  /** The only processor it may run on, by number. */
  readonly cpu?: number | undefined
  /** Part of its log's name, where a bench starts several services one after the other. */
  readonly log?: string | undefined
  /** A file that is loaded before the service. */
  readonly preload?: string | undefined
}

export const probe = resolve(import.meta.dirname, "Probe.ts")

const clockTicksPerSecond = 100
const pageBytes = 4_096

/** Of a living process, from `/proc`; undefined where there is none. */
const usageOf = async (pid: number): Promise<Usage | undefined> => {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined)
  if (text === undefined) return undefined
  // The program's name may hold spaces; the fields after it begin with the third.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const field = (number: number) => Number(fields[number - 3])
  return {
    // Its own, and that of processes below it that have ended.
    cpuSeconds: (field(14) + field(15) + field(16) + field(17)) / clockTicksPerSecond,
    residentBytes: field(24) * pageBytes
  }
}

/** Processes below `pid`, itself included: workers are children of theirs. */
const family = async (pid: number): Promise<ReadonlyArray<number>> => {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "")
  const children = text.split(" ").filter((it) => it !== "")
  return [pid, ...(await Promise.all(children.map((child) => family(Number(child))))).flat()]
}

/** Of all processes of a service together. */
export const usageOfAll = async (pid: number): Promise<Usage | undefined> => {
  const usages = await Promise.all((await family(pid)).map(usageOf))
  return usages.reduce(
    (sum, usage) =>
      usage === undefined || sum === undefined
        ? (sum ?? usage)
        : { cpuSeconds: sum.cpuSeconds + usage.cpuSeconds, residentBytes: sum.residentBytes + usage.residentBytes },
    undefined
  )
}

/** Asks the probe in a service's process; each question has one answer. */
export const askProbe = (child: ChildProcess) => {
  const waiting: Array<(reading: Reading) => void> = []
  child.on("message", (message: Reading) => waiting.shift()?.(message))
  return ({ forceGc = false, countFibers = false } = {}): Promise<Reading> =>
    new Promise((answer, fail) => {
      waiting.push(answer)
      const question = { type: "probe", forceGc, countFibers } satisfies ProbeQuestion
      child.send(question, (error) => error !== null && fail(error))
    })
}

/** As `npm start` has it; what `ENGINE_NODE_OPTIONS` says comes after it, and counts. */
export const startFlag = "--max-semi-space-size=32"
/** What the system's memory is taken by, as `npm start` has it. */
export const { MALLOC_ARENA_MAX = "2" } = process.env

/** The process ids of the workers that were started last, by the log of their parent. None: there is no parent. */
const enginesIn = (log: string): ReadonlyArray<number> => {
  const started = log.matchAll(/"worker started",\{"worker":(\d+),"pid":(\d+)\}/g)
  return [...new Map([...started].map(([, worker, pid]) => [worker, Number(pid)])).values()]
}

/** When each engine left its calls to another one, on the clock of `performance.now`. */
const leftIn = (log: string): ReadonlyArray<number> =>
  log
    .split("\n")
    .filter((line) => line.includes("the calls are left to another process"))
    .map((line) => Date.parse(JSON.parse(line).timestamp) - performance.timeOrigin)

const launch = async (settings: Settings, options: LaunchOptions = {}) => {
  const { role = "all", workers = 1, sound = "inside", spare = false, cpu, log: of, preload } = options
  await mkdir(logFolder, { recursive: true })
  // What the service logged in the last run; an app of its own has another file.
  const file = join(logFolder, `${role === "app" ? "app" : "engine"}${of === undefined ? "" : `-${of}`}.log`)
  const log = await open(file, "w")
  const { PATH = "", HOME = "", ENGINE_NODE_OPTIONS = "", APP_NODE_OPTIONS = "" } = process.env
  const pinned = cpu === undefined ? [] : ["taskset", "-c", String(cpu)]
  const before = [probe, ...(preload === undefined ? [] : [preload])].flatMap((file) => ["--import", file])
  const command = [...pinned, process.execPath, "--expose-gc", ...before, main, "serve", "--role", role]
  if (workers > 1) command.push("--workers", String(workers))
  command.push("--sound", sound)
  if (sound === "process") command.push(spare ? "--spare" : "--no-spare")
  const child = spawn(command[0], command.slice(1), {
    env: {
      PATH,
      HOME,
      MALLOC_ARENA_MAX,
      NODE_OPTIONS: `${startFlag} ${role === "app" ? APP_NODE_OPTIONS : ENGINE_NODE_OPTIONS}`,
      // A bench stops when its calls are over.
      ...environmentOf({ ...settings, environment: "production", drainSeconds: 1 })
    },
    stdio: ["ignore", log.fd, log.fd, "ipc"]
  })
  await log.close()
  const { pid } = child
  if (pid === undefined) throw new Error("the service's process could not be started")
  const ended = once(child, "exit")
  const running = () => child.exitCode === null && child.signalCode === null
  const stop = async () => {
    if (!running()) return
    child.kill("SIGTERM")
    const impatience = setTimeout(() => child.kill("SIGKILL"), stopWithinMs)
    await ended
    clearTimeout(impatience)
  }
  /** As a machine that fails does: nothing is finished. */
  const kill = async () => {
    child.kill("SIGKILL")
    await ended
  }
  /** Has the engines replaced. Gives when each left its calls. */
  const reload = async (): Promise<ReadonlyArray<number>> => {
    const before = await readFile(file, "utf8")
    child.kill("SIGHUP")
    for (const began = performance.now(); performance.now() - began < readyWithinMs; await sleep(100)) {
      const log = (await readFile(file, "utf8")).slice(before.length)
      if (log.includes("the reload has failed")) throw new Error(`the reload has failed:\n${log.slice(-2_000)}`)
      if (log.includes("reloaded: all workers")) return leftIn(log)
    }
    throw new Error("the reload did not end")
  }
  const url = `http://127.0.0.1:${settings.port}/readyz`
  for (const began = performance.now(); performance.now() - began < readyWithinMs; await sleep(100)) {
    if (!running()) break
    const ready = await fetch(url).then(
      ({ ok }) => ok,
      () => false
    )
    if (ready)
      return {
        stop,
        kill,
        reload,
        usage: () => usageOfAll(pid),
        workers: async () => (await family(pid)).slice(1),
        /** Those that think for calls: a worker each, or the only process. */
        engines: async () => {
          const engines = enginesIn(await readFile(file, "utf8"))
          return engines.length === 0 ? [pid] : engines
        },
        read: askProbe(child)
      }
  }
  await stop()
  throw new Error(`the service did not become ready:\n${(await readFile(file, "utf8")).slice(-2_000)}`)
}

/** Started and ready; stopped with the scope. */
export const startService = (settings: Settings, options: LaunchOptions = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => launch(settings, options)),
    ({ stop }) => Effect.promise(stop)
  )
export type Service = Awaited<ReturnType<typeof launch>>
