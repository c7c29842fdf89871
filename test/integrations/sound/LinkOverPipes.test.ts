/** The contract of the link between sound and mind over real sockets: of one machine, and of two. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import type { Pipe, PipeListener, PipeOpened } from "../../../src/integrations/sound/SocketPipes.ts"
import { keepConnectedByTls, listenByTls } from "../../../src/integrations/sound/TlsPipes.ts"
import { keepConnected, listen } from "../../../src/integrations/sound/UnixPipes.ts"
import { makeAuthority, writeIssued } from "../../support/authority.ts"
import { comesAbout } from "../../support/eventually.ts"
import { type Carrier, expectContract } from "../../support/soundContract.ts"

const endings: Array<() => void> = []
afterEach(() => {
  for (const end of endings.splice(0).reverse()) end()
})
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "parley-link-"))
  endings.push(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Listens with `sound`, and connects `mind`. */
type Join = (sound: PipeOpened, mind: PipeOpened) => Promise<void>

const bySocket: Join = async (sound, mind) => {
  const path = join(folder(), "media.sock")
  endings.push(await listen(path, sound), keepConnected(path, mind))
}

const host = "127.0.0.1"
const byTls: Join = async (sound, mind) => {
  const { issue } = makeAuthority()
  const files = (name: string) => writeIssued(folder(), "one", issue({ names: [name] }))
  const warn = (sentence: string) => expect.unreachable(sentence)
  const names = ["engine.internal"]
  const { port, stop } = await listenByTls({ host, port: 0, files: files(host), names, warn }, sound)
  endings.push(stop, keepConnectedByTls({ host, port, files: files(names[0]), warn }, mind))
}

describe.each([
  ["a Unix socket", bySocket],
  ["TLS", byTls]
])("the link between sound and mind over %s", (_, joinBy) => {
  it("tells everything that was heard once, in order, and loses no speech, whatever is under way", async () => {
    let toMind: Carrier = { send: () => undefined, came: () => undefined }
    let toSound: Carrier = toMind
    let joined = 0
    const hearing = (pipe: Pipe, came: (bytes: Uint8Array) => void): PipeListener => {
      endings.push(() => pipe.close())
      joined++
      return { receive: came, drained: () => undefined, closed: () => undefined }
    }
    /** One pair of pipes for all calls, one after the other: each call takes all that it was sent. */
    await joinBy(
      (pipe) => {
        const listener = hearing(pipe, (bytes) => toSound.came(bytes))
        toMind = { send: (bytes) => void pipe.write(bytes), came: () => undefined }
        // Who listens speaks first.
        pipe.write(new Uint8Array(1))
        return listener
      },
      (pipe) => {
        toSound = { send: (bytes) => void pipe.write(bytes), came: () => undefined }
        return hearing(pipe, (bytes) => toMind.came(bytes))
      }
    )
    await comesAbout("both have the pipe", () => joined === 2)
    await expect(expectContract(() => ({ toMind, toSound }))).resolves.toBeUndefined()
  })
})
