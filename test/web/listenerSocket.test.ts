import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, it, vi } from "vitest"
import { type WebSocket as Served, WebSocketServer } from "ws"
import { openListenerSocket } from "../../web/src/features/live/listenerSocket.ts"
import { comesAbout } from "../support/eventually.ts"

const frame = () => new Uint8Array(160).fill(0x55)
/** What a microphone gives in a minute. */
const minute = 3_000

const closing: Array<() => void> = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
  vi.useRealTimers()
})

/** A service that says one frame to whoever listens, and counts those it hears. */
const listening = async () => {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 })
  closing.push(() => server.close())
  await once(server, "listening")
  const heard = { frames: 0, opened: 0, closed: 0 }
  const connected = once(server, "connection")
  const socket = openListenerSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    opened: () => {
      heard.opened++
    },
    heard: () => undefined,
    closed: () => {
      heard.closed++
    }
  })
  const [served] = (await connected) as [Served]
  closing.push(() => served.terminate())
  served.on("message", () => heard.frames++)
  served.send(frame())
  await comesAbout("it is open", () => heard.opened > 0)
  return { socket, served, heard }
}

describe("the socket of a colleague who talks in a call", () => {
  it("drops what is late when the page stood still, and goes on", async () => {
    const { socket, heard } = await listening()
    for (let frames = 0; frames < minute; frames++) socket.frame(frame())
    await comesAbout("the service hears something", () => heard.frames > 0)
    expect(heard.frames).toBeLessThan(50)
    await comesAbout("the service hears what is said now", () => {
      const before = heard.frames
      socket.frame(frame())
      return before > 0 && heard.frames > 60
    })
    expect(heard.closed).toBe(0)
    socket.close()
  })

  it("is given up when nothing is taken for ten seconds", async () => {
    const { socket, served, heard } = await listening()
    vi.useFakeTimers({ toFake: ["performance"] })
    served.pause()
    // More than the systems of both sides take for a program that does not read.
    for (let times = 0; times < 10_000; times++) {
      socket.frame(new Uint8Array(4_800))
      await new Promise((later) => setImmediate(later))
    }
    expect(heard.closed).toBe(0)
    vi.advanceTimersByTime(11_000)
    socket.frame(frame())
    served.resume()
    vi.useRealTimers()
    await comesAbout("the socket is closed", () => heard.closed === 1)
  })
})
