/** Where `parley serve` puts the sound of calls when nobody says where. */
import { createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { isSoundApart } from "../../src/cli/serve.ts"
import { canListen, freePort } from "../../src/integrations/web/FreePort.ts"

const mediaLinks = { addresses: [], cert: Option.none(), key: Option.none(), ca: Option.none() }
const nothing = { mediaPort: Option.none<number>(), publicBaseUrl: Option.none<string>(), mediaLinks }
const behindProxy = { ...nothing, publicBaseUrl: Option.some("https://voice.example.com") }
const unsaid = Option.none<"inside" | "process">()

describe("the sound of calls", () => {
  it("is in a process of its own on a machine whose streams come straight to it", () => {
    assert.isTrue(isSoundApart(nothing, "all", unsaid))
    assert.isTrue(isSoundApart(nothing, "engine", unsaid))
  })

  it("stays inside behind a proxy, until MEDIA_PORT says that the proxy leads streams to it", () => {
    assert.isFalse(isSoundApart(behindProxy, "all", unsaid))
    assert.isTrue(isSoundApart({ ...behindProxy, mediaPort: Option.some(8081) }, "all", unsaid))
  })

  it("is in no process of this machine when it is on others", () => {
    const far = { ...nothing, mediaLinks: { ...mediaLinks, addresses: ["tls://media.example.com:8443"] } }
    assert.isFalse(isSoundApart(far, "all", unsaid))
    assert.isFalse(isSoundApart({ ...far, mediaPort: Option.some(8081) }, "engine", unsaid))
  })

  it("is where --sound says", () => {
    assert.isTrue(isSoundApart(behindProxy, "all", Option.some("process")))
    assert.isFalse(isSoundApart(nothing, "all", Option.some("inside")))
  })

  it("is nowhere in a process that takes no calls", () => {
    assert.isFalse(isSoundApart(nothing, "app", Option.some("process")))
  })
})

describe("a port", () => {
  it("is free until somebody listens on it, also in a way that lets others listen, too", async () => {
    const port = await freePort()
    assert.isTrue(await canListen("127.0.0.1", port))
    const server = createServer()
    await new Promise<void>((listening) =>
      server.listen({ host: "127.0.0.1", port, reusePort: true }, () => listening())
    )
    assert.isFalse(await canListen("127.0.0.1", port))
    await new Promise((closed) => server.close(closed))
    assert.isTrue(await canListen("127.0.0.1", port))
  })
})
