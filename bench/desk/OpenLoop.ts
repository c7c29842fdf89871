/** Sends requests at a fixed pace without waiting for earlier ones: a slow answer delays no other. Times count from when a request was due. */
import { setTimeout as sleep } from "node:timers/promises"

export interface Kind {
  readonly name: string
  /** The nth request of its kind; resolves when its answer has been read, rejects when it is none of success. */
  readonly send: (n: number) => Promise<void>
}

export interface Measured {
  readonly name: string
  readonly milliseconds: ReadonlyArray<number>
  readonly failures: ReadonlyArray<string>
}

/** `rate` requests a second over all kinds, in turn, for so many seconds. */
export const paced = async (
  kinds: ReadonlyArray<Kind>,
  rate: number,
  seconds: number
): Promise<ReadonlyArray<Measured>> => {
  const measured = kinds.map(({ name }) => ({ name, milliseconds: [] as Array<number>, failures: [] as Array<string> }))
  const [began, running] = [performance.now(), new Set<Promise<void>>()]
  const total = Math.round(rate * seconds)
  for (let n = 0; n < total; n++) {
    const due = began + (n * 1_000) / rate
    const early = due - performance.now()
    if (early > 0) await sleep(early)
    const [kind, into] = [kinds[n % kinds.length], measured[n % kinds.length]]
    const request = kind.send(Math.floor(n / kinds.length)).then(
      () => void into.milliseconds.push(performance.now() - due),
      (cause: unknown) => void into.failures.push(cause instanceof Error ? cause.message : String(cause))
    )
    running.add(request)
    void request.finally(() => running.delete(request))
  }
  await Promise.all(running)
  return measured
}

/** A JSON client that keeps its connections, of one key. */
export const clientOf =
  (baseUrl: string, key: string) =>
  async (path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(baseUrl + path, {
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 200)}`)
    return JSON.parse(text)
  }
