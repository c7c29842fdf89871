/** Measures the least cost of any media server: an echo server in its own process, and callers that send it the frames of a call. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { type GeneratorReport, watchGenerator } from "../support/GeneratorCheck.ts"
import { type Usage, usageOfAll } from "../support/Service.ts"
import { Pacer } from "./Pacer.ts"
import { Wire } from "./Wire.ts"

export interface Floor {
  readonly calls: number
  readonly cores: number
  /** Microseconds of the server's processor for a frame and its echo. */
  readonly perFrameUs: number
  readonly residentBytes: number
  readonly generator: GeneratorReport
}

const startWithinMs = 10_000

const launch = async (cpu: number | undefined) => {
  const port = await freePort()
  const pinned = cpu === undefined ? [] : ["taskset", "-c", String(cpu)]
  const command = [...pinned, process.execPath, resolve(import.meta.dirname, "echo-server.ts")]
  const child = spawn(command[0], command.slice(1), { env: { PORT: String(port) }, stdio: "inherit" })
  const { pid } = child
  if (pid === undefined) throw new Error("the echo server could not be started")
  const ended = once(child, "exit")
  for (const began = performance.now(); performance.now() - began < startWithinMs; await sleep(50)) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false
    )
    if (ready) break
  }
  const stop = async () => {
    child.kill("SIGKILL")
    await ended
  }
  return { port, usage: () => usageOfAll(pid), stop }
}

/** One caller: a frame every 20 ms; what comes back is counted and not looked at. */
const join = async (
  port: number,
  pacer: Pacer,
  payloads: ReadonlyArray<string>,
  counts: { sent: number; back: number }
) => {
  const streamSid = `MZ${"0".repeat(32)}`
  let sent = 0
  const wire = await Wire.open({
    host: "127.0.0.1",
    port,
    path: "/media",
    headers: {},
    onText: () => void counts.back++,
    onClosed: () => undefined
  })
  const leave = pacer.add({
    tick: () => {
      counts.sent++
      const payload = payloads[sent % payloads.length]
      const timestamp = sent++ * 20
      wire.send(
        `{"event":"media","sequenceNumber":"${sent + 1}","media":{"track":"inbound","chunk":"${sent}","timestamp":"${timestamp}","payload":"${payload}"},"streamSid":"${streamSid}"}`
      )
    }
  })
  return () => {
    leave()
    wire.close()
  }
}

/** Measures the echo server with so many callers; `payloads` is what they send. */
export const measureFloor = async (
  calls: number,
  seconds: number,
  payloads: ReadonlyArray<string>,
  cpu: number | undefined
): Promise<Floor> => {
  const server = await launch(cpu)
  const pacer = new Pacer()
  const counts = { sent: 0, back: 0 }
  try {
    const leave = await Promise.all(Array.from({ length: calls }, () => join(server.port, pacer, payloads, counts)))
    await sleep(3_000)
    const none: Usage = { cpuSeconds: Number.NaN, residentBytes: Number.NaN }
    const before = (await server.usage()) ?? none
    const [began, sentBefore] = [performance.now(), counts.sent]
    const stopWatching = watchGenerator()
    await sleep(seconds * 1_000)
    const generator = stopWatching()
    const after = (await server.usage()) ?? none
    const used = after.cpuSeconds - before.cpuSeconds
    for (const it of leave) it()
    return {
      calls,
      cores: used / ((performance.now() - began) / 1_000),
      perFrameUs: (used * 1e6) / (counts.sent - sentBefore),
      residentBytes: after.residentBytes,
      generator
    }
  } finally {
    pacer.close()
    await server.stop()
  }
}
