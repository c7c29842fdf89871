/** eSpeak NG in a worker thread, started on first use; it does not keep the process alive while idle. */
import { Worker } from "node:worker_threads"
import type { Answer, Job } from "./Synthesis.ts"

interface Reply {
  readonly id: number
  readonly answer?: Answer
  readonly error?: string
}

interface Waiting {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

const waiting = new Map<number, Waiting>()
let worker: Worker | undefined
let nextId = 1

const fail = (error: Error) => {
  worker = undefined
  for (const { reject } of waiting.values()) reject(error)
  waiting.clear()
}

const start = () => {
  const started = new Worker(new URL("./synthesis-worker.ts", import.meta.url), { execArgv: [] })
  started.on("message", ({ id, answer, error }: Reply) => {
    const one = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) started.unref()
    if (answer) one?.resolve(answer)
    else one?.reject(new Error(error ?? "Synthesis gave no audio"))
  })
  started.on("error", (error) => fail(error instanceof Error ? error : new Error(String(error))))
  started.on("exit", (code) => {
    if (worker === started) fail(new Error(`The synthesis worker ended with code ${code}`))
  })
  return started
}

/** Synthesizes one text; rejects for an unknown voice or when the worker died (the next call starts a new one). */
export const synthesize = (job: Omit<Job, "id">): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const id = nextId++
    worker ??= start()
    waiting.set(id, { resolve, reject })
    worker.ref()
    worker.postMessage({ ...job, id })
  })
