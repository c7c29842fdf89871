import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Organizations } from "../../../src/domain/people/organizations/Organization.ts"
import { password } from "../../support/access.ts"
import { Browser, hiddenFields, pkce, tickedBoxes } from "../../support/browser.ts"
import { callback, makeOAuthWorld } from "../../support/oauth.ts"

const { challenge } = pkce()

/** The answer that a client got by redirect. */
const told = (gone: URL | undefined): Record<string, string | undefined> => ({
  to: gone === undefined ? undefined : `${gone.origin}${gone.pathname}`,
  ...Object.fromEntries(gone?.searchParams ?? [])
})

describe("a person who connects an assistant", () => {
  it.live("signs in, sees who asks for what, and allows less than was asked", () =>
    Effect.gen(function* () {
      const world = yield* makeOAuthWorld()
      const clientId = yield* Effect.promise(() => world.publicClient())
      const url = world.authorizeUrl(clientId, challenge, { scope: "contacts:read messages:send" })
      yield* Effect.promise(async () => {
        const browser = new Browser(world.base)
        const signIn = await browser.open(url)
        assert.strictEqual(signIn.status, 200)
        assert.include(signIn.text, "Sign in to connect an assistant")
        const page = await browser.signIn(url, world.owner.email, password)
        for (const words of ["Helper wants to work in", "Ada", world.owner.email, "assistant.example", "send_message"])
          assert.include(page.text, words)
        assert.include(page.text, "nobody has checked its name")
        assert.deepStrictEqual(tickedBoxes(page.text), ["contacts:read", "messages:send"])
        const { gone } = await browser.decide(page, "allow", ["contacts:read", "admin"])
        assert.deepInclude(told(gone), { to: callback, state: "a state", iss: world.base })
      })
      const [entry] = (yield* world.audited()).filter(({ action }) => action === "oauth.authorized")
      assert.deepInclude(entry, { actor: { type: "user", id: world.owner.id } })
      assert.deepInclude(entry.after, { clientId, scopes: ["mcp", "contacts:read"], redirect: "assistant.example" })
    })
  )

  it.live("is warned when the answer goes to a program on their machine", () =>
    Effect.gen(function* () {
      const world = yield* makeOAuthWorld()
      yield* Effect.promise(async () => {
        const clientId = await world.publicClient("http://127.0.0.1:1/done")
        const browser = await world.browserOf()
        const redirect_uri = "http://127.0.0.1:45678/done"
        const page = await browser.open(world.authorizeUrl(clientId, challenge, { redirect_uri }))
        assert.include(page.text, "program on this computer")
        const { gone } = await browser.decide(page, "allow")
        assert.strictEqual(told(gone).to, redirect_uri)
      })
    })
  )

  it.live("can refuse, or become somebody else", () =>
    Effect.gen(function* () {
      const world = yield* makeOAuthWorld()
      yield* Effect.promise(async () => {
        const clientId = await world.publicClient()
        const url = world.authorizeUrl(clientId, challenge)
        const browser = await world.browserOf()
        const { gone } = await browser.decide(await browser.open(url), "deny")
        assert.deepInclude(told(gone), { to: callback, error: "access_denied", state: "a state", iss: world.base })
        assert.notProperty(told(gone), "code")
        const other = await browser.decide(await browser.open(url), "switch")
        assert.include(other.text, "Sign in to connect an assistant")
        assert.include((await browser.open(url)).text, "Sign in to connect an assistant")
      })
    })
  )

  it.live("must be an OWNER of an organization whose plan has the MCP server", () =>
    Effect.gen(function* () {
      const world = yield* makeOAuthWorld()
      const clientId = yield* Effect.promise(() => world.publicClient())
      const url = world.authorizeUrl(clientId, challenge)
      const admin = yield* world.personOf("ADMIN")
      const refused = (email: string, sentence: RegExp) =>
        Effect.promise(async () => {
          const browser = await world.browserOf(email)
          const page = await browser.open(url)
          assert.match(page.text, sentence)
          assert.notInclude(page.text, 'value="allow"')
          const { gone } = await browser.decide(page, "allow", [])
          assert.deepInclude(told(gone), { to: callback, error: "access_denied", iss: world.base })
        })
      yield* refused(admin.email, /Only an OWNER can connect an assistant; your role is ADMIN/)
      yield* world.provide(Effect.flatMap(Organizations, (all) => all.setPlan(world.organizationId, "STARTER", false)))
      yield* refused(world.owner.email, /MCP over the network needs the Pro plan/)
    })
  )

  it.live("hears on the page that an address or a password is wrong, and is limited like everywhere", () =>
    Effect.gen(function* () {
      const world = yield* makeOAuthWorld()
      yield* Effect.promise(async () => {
        const browser = new Browser(world.base)
        const wrong = await browser.signIn("/oauth/authorize?x=1", world.owner.email, "wrong")
        assert.strictEqual(wrong.status, 401)
        assert.include(wrong.text, "The e-mail address or the password is wrong.")
        for (const [email, secret] of [
          ["nobody", "x"],
          ["a\0b@example.com", "x"],
          [world.owner.email, ""],
          [world.owner.email, "x".repeat(1_001)]
        ]) {
          const refused = await browser.signIn("/oauth/authorize", email, secret)
          assert.strictEqual(refused.status, 400, email)
        }
        for (let i = 0; i < 9; i++) await browser.signIn("/oauth/authorize", world.owner.email, "wrong")
        const tooMany = await browser.signIn("/oauth/authorize", world.owner.email, password)
        assert.strictEqual(tooMany.status, 429)
        assert.isFalse(browser.cookies.has("parley_session"))
      })
    })
  )
})

describe("a request of a client", () => {
  it.live("sends nobody anywhere before a person has signed in", () =>
    Effect.gen(function* () {
      const world = yield* makeOAuthWorld()
      yield* Effect.promise(async () => {
        const clientId = await world.publicClient()
        for (const changes of [
          {},
          { response_type: "token" },
          { redirect_uri: "https://evil.example/" },
          { client_id: "x" }
        ]) {
          const shown = await new Browser(world.base).open(world.authorizeUrl(clientId, challenge, changes))
          assert.deepStrictEqual([shown.status, shown.gone], [200, undefined])
          assert.include(shown.text, "Sign in")
        }
      })
    })
  )

  it.live("that names no client, or an address that is not the client's, is told to the person only", () =>
    Effect.gen(function* () {
      const world = yield* makeOAuthWorld()
      yield* Effect.promise(async () => {
        const clientId = await world.publicClient()
        const browser = await world.browserOf()
        const cases: ReadonlyArray<readonly [Record<string, string | undefined>, RegExp]> = [
          [{ client_id: undefined }, /client_id is missing/],
          [{ client_id: "ocl_nobody" }, /no client with this client_id/],
          [{ client_id: "ocl_%00" }, /no client with this client_id/],
          [{ client_id: "https://client.example" }, /canonical form/],
          [{ client_id: "https://client.example/" }, /has no path/],
          [{ client_id: "https://user@client.example/c.json" }, /user name/],
          [{ client_id: "https://client.example/../c.json" }, /canonical form/],
          [{ redirect_uri: "https://evil.example/" }, /not one that this client has registered/],
          [{ redirect_uri: `${callback}/` }, /not one that this client has registered/],
          [{ redirect_uri: "javascript:alert(1)" }, /not one that this client has registered/]
        ]
        for (const [changes, sentence] of cases) {
          const shown = await browser.open(world.authorizeUrl(clientId, challenge, changes))
          assert.deepStrictEqual([shown.status, shown.gone], [400, undefined], JSON.stringify(changes))
          assert.match(shown.text, sentence)
        }
        const twice = `${world.authorizeUrl(clientId, challenge)}&redirect_uri=https%3A%2F%2Fevil.example`
        assert.match((await browser.open(twice)).text, /may be sent only once/)
        const several = await world.publicClient(callback, `${callback}2`)
        const unsaid = await browser.open(world.authorizeUrl(several, challenge, { redirect_uri: undefined }))
        assert.match(unsaid.text, /redirect_uri is missing/)
      })
    })
  )

  it.live("that is wrong otherwise is told to the client, with its state and the issuer", () =>
    Effect.gen(function* () {
      const world = yield* makeOAuthWorld()
      yield* Effect.promise(async () => {
        const clientId = await world.publicClient()
        const browser = await world.browserOf()
        const cases: ReadonlyArray<readonly [Record<string, string | undefined>, string]> = [
          [{ response_type: undefined }, "invalid_request"],
          [{ response_type: "token" }, "unsupported_response_type"],
          [{ code_challenge: undefined }, "invalid_request"],
          [{ code_challenge: "short" }, "invalid_request"],
          [{ code_challenge_method: undefined }, "invalid_request"],
          [{ code_challenge_method: "plain" }, "invalid_request"],
          [{ scope: "mcp admin" }, "invalid_scope"],
          [{ resource: "https://other.example/mcp" }, "invalid_target"]
        ]
        for (const [changes, error] of cases) {
          const { gone } = await browser.open(world.authorizeUrl(clientId, challenge, changes))
          assert.deepInclude(
            told(gone),
            { to: callback, error, state: "a state", iss: world.base },
            JSON.stringify(changes)
          )
        }
        const twice = await browser.open(`${world.authorizeUrl(clientId, challenge)}&scope=mcp&scope=admin`)
        assert.deepInclude(told(twice.gone), { error: "invalid_request" })
        const long = await browser.open(world.authorizeUrl(clientId, challenge, { state: "s".repeat(4_001) }))
        assert.deepInclude(told(long.gone), { error: "invalid_request" })
        // What is right, but unusual.
        const plain = await browser.open(
          world.authorizeUrl(clientId, challenge, { state: undefined, resource: undefined, redirect_uri: undefined })
        )
        const { gone } = await browser.decide(plain, "allow")
        assert.property(told(gone), "code")
        assert.notProperty(told(gone), "state")
      })
    })
  )
})

describe("the forms of the pages", () => {
  it.live("are taken from the page alone: other sites' forms change nothing", () =>
    Effect.gen(function* () {
      const world = yield* makeOAuthWorld()
      yield* Effect.promise(async () => {
        const clientId = await world.publicClient()
        const url = world.authorizeUrl(clientId, challenge)
        const stranger = new Browser(world.base)
        const login = { request: "", email: world.owner.email, password }
        for (const csrf of ["", "x"]) {
          const refused = await stranger.send("/oauth/sign-in", { ...login, csrf })
          assert.deepStrictEqual([refused.status, stranger.cookies.has("parley_session")], [400, false])
        }
        const browser = await world.browserOf()
        const page = await browser.open(url)
        const fields = hiddenFields(page.text)
        const other = hiddenFields((await (await world.browserOf()).open(url)).text)
        for (const csrf of ["", other.csrf]) {
          const refused = await browser.send("/oauth/consent", { ...fields, csrf, decision: "allow" })
          assert.deepStrictEqual([refused.status, refused.gone], [403, undefined])
        }
        const without = await stranger.send("/oauth/consent", { ...fields, decision: "allow" })
        assert.deepStrictEqual([without.status, without.gone], [401, undefined])
        const odd = await browser.send("/oauth/consent", { ...fields, decision: "perhaps" })
        assert.strictEqual(odd.status, 400)
        const huge = await browser.send("/oauth/consent", { ...fields, request: "x".repeat(40_000), decision: "allow" })
        assert.strictEqual(huge.status, 400)
        // The request in the form is read as strictly as that in the address.
        const changed = await browser.send("/oauth/consent", {
          ...fields,
          request: fields.request.replace(encodeURIComponent(callback), encodeURIComponent("https://evil.example/")),
          decision: "allow"
        })
        assert.deepStrictEqual([changed.status, changed.gone], [400, undefined])
      })
    })
  )

  it.live("lead back to our own address only, whatever the request says", () =>
    Effect.gen(function* () {
      const world = yield* makeOAuthWorld()
      yield* Effect.promise(async () => {
        for (const request of [
          "//evil.example",
          "https://evil.example/",
          "@evil.example",
          "\r\nlocation: https://evil.example",
          "#x"
        ]) {
          const browser = new Browser(world.base)
          const page = await browser.open("/oauth/authorize")
          const shown = await browser.send("/oauth/sign-in", {
            ...hiddenFields(page.text),
            request,
            email: world.owner.email,
            password
          })
          assert.deepStrictEqual([shown.status, shown.gone], [400, undefined], request)
          assert.isTrue(browser.cookies.has("parley_session"))
        }
      })
    })
  )

  it.live("show what a client or an address says as text, and run nothing", () =>
    Effect.gen(function* () {
      const world = yield* makeOAuthWorld()
      yield* Effect.promise(async () => {
        const name = `<script>alert(1)</script>"'&`
        const { body } = await world.register({ client_name: name, redirect_uris: [callback] })
        const browser = await world.browserOf()
        const state = `"><img src=x onerror=alert(1)>`
        const page = await browser.open(world.authorizeUrl(body.client_id, challenge, { state }))
        for (const marked of [
          page.text,
          (await new Browser(world.base).open(`/oauth/authorize?state=${encodeURIComponent(state)}`)).text
        ]) {
          assert.notMatch(marked, /<script|<img|onerror=alert\(1\)>/)
          assert.lengthOf(marked.match(/<style>/g) ?? [], 1)
        }
        assert.include(page.text, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;")
        const policy = page.headers.get("content-security-policy") ?? ""
        assert.match(
          policy,
          /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'self' https:; frame-ancestors 'none'$/
        )
        assert.strictEqual(page.headers.get("x-frame-options"), "DENY")
        const { gone } = await browser.decide(page, "allow")
        assert.strictEqual(gone?.searchParams.get("state"), state)
      })
    })
  )
})
