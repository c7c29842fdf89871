/** What `parley media` is started with, beside an engine and by itself. */
import { describe, expect, it } from "vitest"
import { mediaOptions } from "../../../src/cli/process/mediaOptions.ts"

const door = ["--cert", "c.pem", "--key", "k.pem", "--ca", "ca.pem", "--engines", "one.internal,two.internal"]

describe("parley media", () => {
  it("takes engines of this machine, of others, or both", () => {
    expect(mediaOptions(["--port", "8081", "--socket", "/run/media.sock"])).toEqual({
      host: "127.0.0.1",
      port: 8_081,
      socket: "/run/media.sock",
      door: undefined,
      drainSeconds: 300
    })
    const both = ["--port", "8081", "--socket", "s", "--drain-seconds", "5", "--listen", "[::1]:8443", ...door]
    expect(mediaOptions(both)).toMatchObject({
      socket: "s",
      drainSeconds: 5,
      door: {
        host: "::1",
        port: 8_443,
        files: { cert: "c.pem", key: "k.pem", ca: "ca.pem" },
        names: ["one.internal", "two.internal"]
      }
    })
  })

  const wrong: ReadonlyArray<readonly [string, ReadonlyArray<string>, RegExp]> = [
    ["nobody can reach it", ["--port", "8081"], /^parley media needs --listen host:port/],
    ["its port is missing", ["--socket", "s"], /^--port must be a number up to 65535\.$/],
    [
      "a number is none",
      ["--port", "8081", "--socket", "s", "--drain-seconds", "x"],
      /^--drain-seconds must be a number/
    ],
    [
      "its address has no port",
      ["--port", "8081", "--listen", "10.0.0.5", ...door],
      /^--listen must look like 10\.0\.0\.5:8443/
    ],
    ["its address has a path", ["--port", "8081", "--listen", "10.0.0.5:1/x", ...door], /^--listen must look like/],
    [
      "it does not know the names of engines",
      ["--port", "8081", "--listen", "10.0.0.5:8443", ...door.slice(0, 6)],
      /--engines/
    ],
    [
      "it has no key",
      ["--port", "8081", "--listen", "10.0.0.5:8443", ...door.slice(0, 2), ...door.slice(4)],
      /^--listen needs --cert, --key and --ca/
    ]
  ]
  it.each(wrong)("does not start, and says why, when %s", (_, args, sentence) => {
    expect(() => mediaOptions(args)).toThrow(sentence)
  })
})
