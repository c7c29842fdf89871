import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  isOwnMachine,
  isRegistered,
  placeOf,
  redirectUriProblem,
  withParameters
} from "../../../../src/domain/people/oauth/RedirectUri.ts"

const good = [
  "https://assistant.example/callback",
  "https://assistant.example:8443/callback?tenant=1",
  "http://127.0.0.1/callback",
  "http://127.0.0.1:33418/callback",
  "http://localhost:6274/oauth/callback",
  "http://[::1]:5000/",
  "cursor://anysphere.cursor-mcp/oauth/callback",
  "com.example.app:/callback"
]

const bad: ReadonlyArray<readonly [string, RegExp]> = [
  ["", /absolute|character/],
  ["/callback", /absolute/],
  ["//assistant.example/callback", /absolute/],
  ["HTTPS://assistant.example/callback", /lower case/],
  ["https:/assistant.example/callback", /no host/],
  ["https://", /absolute/],
  ["https://assistant.example/callback#part", /fragment/],
  ["https://user@assistant.example/callback", /user name/],
  ["https://user:word@assistant.example/", /user name/],
  ["https://assistant.example\\@other.example/", /character/],
  ["https://assistant.example/a b", /character/],
  ["https://assistant.example/\n", /character/],
  ["https://assistänt.example/", /character/],
  ["http://assistant.example/callback", /http on a host/],
  ["http://127.0.0.1.assistant.example/", /http on a host/],
  ["http://127.0.0.1:80@assistant.example/", /user name/],
  ["http://127.0.0.1:@assistant.example/", /user name|absolute/],
  ["http://localhost.assistant.example/", /http on a host/],
  ["http://127.1/callback", /http on a host/],
  ["javascript:alert(1)", /scheme javascript/],
  ["data:text/html,x", /scheme data/],
  ["vbscript:x", /scheme vbscript/],
  ["file:///etc/passwd", /scheme file/],
  ["blob:https://assistant.example/1", /scheme blob/],
  [`https://assistant.example/${"a".repeat(2_000)}`, /longer/]
]

/** Texts that a parser may read differently from how they look. */
const tricky = fc
  .array(
    fc.constantFrom(
      ...[
        "http://",
        "https://",
        "127.0.0.1",
        "localhost",
        "[::1]",
        ":80",
        ":",
        "@",
        "/",
        "\\",
        "?",
        "#",
        ".",
        "evil.example"
      ],
      ...["%2f", "%40", "%00", "\t", " ", "a", "0x7f.1", "2130706433", "::1", "callback"]
    ),
    { maxLength: 10 }
  )
  .map((parts) => parts.join(""))

const onOwnMachine = new Set(["127.0.0.1", "[::1]", "localhost"])

describe("a redirect address", () => {
  it.each(good)("may be %s", (uri) => {
    expect(redirectUriProblem(uri)).toBeUndefined()
    expect(isRegistered([uri], uri)).toBe(true)
  })

  it.each(bad)("may not be %s", (uri, problem) => {
    expect(redirectUriProblem(uri)).toMatch(problem)
  })

  it("is compared letter by letter, but for the port of the person's own machine", () => {
    const registered = [
      "https://assistant.example/callback",
      "http://127.0.0.1:1/callback",
      "http://localhost/done?x=1"
    ]
    for (const same of ["http://127.0.0.1:65535/callback", "http://127.0.0.1/callback", "http://localhost:9/done?x=1"])
      expect(isRegistered(registered, same), same).toBe(true)
    for (const other of [
      "https://assistant.example/callback/",
      "https://assistant.example/callback?x=1",
      "https://assistant.example:8443/callback",
      "https://Assistant.example/callback",
      "http://127.0.0.1:1/callback/",
      "http://127.0.0.1:1/Callback",
      "http://127.0.0.1:1@evil.example/callback",
      "http://127.0.0.1:123456/callback",
      "https://127.0.0.1:1/callback",
      "http://[::1]:1/callback",
      "http://localhost:9/done"
    ])
      expect(isRegistered(registered, other), other).toBe(false)
  })

  it("that is registered leads a parser to the host that was registered, however it is written", () => {
    fc.assert(
      fc.property(tricky, tricky, (registered, asked) => {
        if (redirectUriProblem(registered) !== undefined || !isRegistered([registered], asked)) return
        const [known, next] = [new URL(registered), new URL(asked)]
        expect(next.protocol).toBe(known.protocol)
        expect(next.hostname).toBe(known.hostname)
        expect(next.username + next.password).toBe("")
        if (!onOwnMachine.has(known.hostname)) expect(next.href).toBe(known.href)
      }),
      { numRuns: 5_000 }
    )
  })

  it("of http is accepted for the person's own machine only", () => {
    fc.assert(
      fc.property(tricky, (uri) => {
        if (redirectUriProblem(uri) !== undefined || !uri.startsWith("http:")) return
        expect(onOwnMachine.has(new URL(uri).hostname)).toBe(true)
        expect(isOwnMachine(uri)).toBe(true)
      }),
      { numRuns: 5_000 }
    )
  })

  it("gets the answer's parameters besides its own, and keeps its host", () => {
    fc.assert(
      fc.property(fc.constantFrom(...good), fc.string(), fc.string(), (uri, code, state) => {
        const next = new URL(withParameters(uri, { code, state, left: undefined }))
        expect(next.searchParams.get("code")).toBe(code)
        expect(next.searchParams.get("state")).toBe(state)
        expect(next.searchParams.has("left")).toBe(false)
        expect(next.host).toBe(new URL(uri).host)
        for (const [name, value] of new URL(uri).searchParams) expect(next.searchParams.get(name)).toBe(value)
      })
    )
  })

  it("is shown to people by its host, or by the scheme of a program", () => {
    expect(placeOf("https://assistant.example:8443/callback")).toBe("assistant.example:8443")
    expect(placeOf("http://[::1]:5000/")).toBe("[::1]:5000")
    expect(placeOf("cursor://anysphere.cursor-mcp/x")).toBe("cursor:")
  })
})
