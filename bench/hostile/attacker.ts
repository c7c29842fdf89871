/** Attacks an address in a process of its own, so that neither the callers nor the service wait for it. Told by its parent whom, and for how long. */
import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { type Attack, attacks } from "./Attacks.ts"

export interface Order {
  readonly attack: string
  readonly port: number
  readonly seconds: number
}

/** What became of the connections of an attack. */
export interface Attacked {
  readonly connections: number
  /** How many were answered with each status; "none" were not answered. */
  readonly answers: Readonly<Record<string, number>>
}

const mostOpen = 1_000
const tickMs = 10
const patienceMs = 2_000

const assail = async (socket: Socket, { parts, everyMs = 0, staysMs }: Attack, stopped: AbortSignal) => {
  let answer = ""
  const ended = new Promise<void>((resolve) => {
    socket.on("data", (bytes) => {
      if (answer.length < 20) answer += bytes.toString("latin1")
      if (staysMs === undefined && !answer.startsWith("HTTP/1.1 101")) resolve()
    })
    socket.on("error", () => undefined)
    socket.once("close", () => resolve())
    stopped.addEventListener("abort", () => resolve(), { once: true })
  })
  const writing = async () => {
    for (const part of parts()) {
      if (socket.destroyed || stopped.aborted) return
      socket.write(part)
      if (everyMs > 0) await sleep(everyMs)
    }
    await sleep(staysMs ?? patienceMs, undefined, { ref: false })
  }
  await Promise.race([ended, writing()])
  socket.destroy()
  return /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? "none"
}

/** Opens connections at the attack's rate, whatever becomes of them, and closes what is left at the end. */
const carryOut = async ({ attack: name, port, seconds }: Order): Promise<Attacked> => {
  const attack = attacks.find((one) => one.name === name)
  if (attack === undefined) throw new Error(`there is no attack "${name}"`)
  const stopped = new AbortController()
  const answers: Record<string, number> = {}
  const running = new Set<Promise<void>>()
  const began = performance.now()
  let connections = 0
  for (;;) {
    const passed = (performance.now() - began) / 1_000
    if (passed >= seconds) break
    while (connections < passed * attack.rate && running.size < mostOpen) {
      connections++
      const socket = connect({ port, host: "127.0.0.1", noDelay: true })
      const work = assail(socket, attack, stopped.signal).then((status) => {
        answers[status] = (answers[status] ?? 0) + 1
        running.delete(work)
      })
      running.add(work)
    }
    await sleep(tickMs)
  }
  stopped.abort()
  await Promise.all(running)
  return { connections, answers }
}

process.on("message", (order: Order) => {
  void carryOut(order).then((attacked) => process.send?.(attacked))
})
process.on("disconnect", () => process.exit(0))
process.send?.("ready")
