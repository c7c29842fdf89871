import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Users } from "../../../../src/domain/people/access/User.ts"
import { UserSessions } from "../../../../src/domain/people/access/UserSession.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { makeAccessWorld, password } from "../../../support/access.ts"

const agent = {
  name: "Reception",
  welcomeMessage: "Welcome.",
  voiceFamily: "english",
  voiceId: "aura-2-thalia-en",
  systemPrompt: "You are a receptionist."
}

describe("at /api/session", () => {
  it.live("a person signs in, sees who they are, works, and signs out", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const { id, email } = yield* world.personOf("ADMIN")
      const { answer, setCookie, ask, csrf } = yield* world.signIn(email.toUpperCase())
      assert.strictEqual(answer.status, 201)
      assert.deepInclude(answer.body, {
        user: { id, email, name: "Ada", role: "ADMIN" },
        organizationId: world.organizationId
      })
      assert.match(setCookie, /^parley_session=[\w-]{43};/)
      for (const attribute of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/", "Max-Age=604800"])
        assert.include(setCookie, attribute)
      assert.notInclude(JSON.stringify(answer.body), setCookie.slice(15, 58))

      assert.deepStrictEqual((yield* ask("GET", "/api/session")).body, answer.body)
      assert.strictEqual(answer.body.csrfToken, csrf)
      assert.strictEqual((yield* ask("POST", "/api/voice-agents", { body: agent })).status, 201)

      const out = yield* ask("DELETE", "/api/session")
      assert.deepStrictEqual(out.body, { ended: true })
      assert.match(out.headers.get("set-cookie") ?? "", /^parley_session=;.*Max-Age=0/)
      const after = yield* ask("GET", "/api/session")
      assert.deepStrictEqual(
        [after.status, after.body],
        [401, { error: "Your session is over. Please sign in again." }]
      )
      assert.deepStrictEqual(
        (yield* world.audited()).map(({ action, actor }) => [action, actor]),
        [
          ["session.ended", { type: "user", id }],
          ["voice_agent.created", { type: "user", id }],
          ["session.started", { type: "user", id }]
        ]
      )
    })
  )

  it.live("a person's language and preferences are the same on every device, and bounded", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const { email } = yield* world.personOf("AGENT")
      const desk = yield* world.signIn(email)
      assert.deepInclude(desk.answer.body, { timeZone: "Asia/Kolkata", locale: null, preferences: {} })
      const chosen = { theme: "dark", keys: { reply: "R", note: null } }
      yield* desk.ask("PATCH", "/api/session", { body: { locale: "hi", preferences: chosen } })
      const kept = yield* desk.ask("PATCH", "/api/session", { body: { preferences: { density: "compact" } } })
      assert.deepInclude(kept.body, { locale: "hi", preferences: { ...chosen, density: "compact" } })

      const telephone = yield* world.signIn(email)
      assert.deepInclude(telephone.answer.body, { locale: "hi", preferences: { ...chosen, density: "compact" } })
      const less = yield* telephone.ask("PATCH", "/api/session", {
        body: { locale: null, preferences: { theme: null } }
      })
      assert.deepInclude(less.body, { locale: null, preferences: { keys: chosen.keys, density: "compact" } })

      for (const body of [
        { locale: "not a language" },
        { preferences: [] },
        { preferences: { big: "x".repeat(16_384) } }
      ])
        assert.strictEqual((yield* desk.ask("PATCH", "/api/session", { body })).status, 400)
      assert.deepStrictEqual((yield* desk.ask("GET", "/api/session")).body.preferences, less.body.preferences)
      const colleague = yield* world.as("AGENT")
      assert.deepInclude(colleague.answer.body, { locale: null, preferences: {} })
      const { secret } = yield* world.keyOf()
      assert.strictEqual(
        (yield* world.withKey(secret)("PATCH", "/api/session", { body: { locale: "en" } })).status,
        403
      )
    })
  )

  it.live("a person sees their own sessions and ends one of them, and nobody else's", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const { email } = yield* world.personOf("AGENT")
      const desk = yield* world.signIn(email)
      const telephone = yield* world.signIn(email)
      const stranger = yield* world.as("OWNER")
      const { body } = yield* desk.ask("GET", "/api/sessions", { headers: { "user-agent": "a browser" } })
      const own: ReadonlyArray<{ readonly id: string; readonly current: boolean; readonly ip: string }> = body.data
      assert.deepStrictEqual(own.map(({ current }) => current).toSorted(), [false, true])
      assert.isTrue(own.every(({ ip }) => ip === "127.0.0.1"))
      assert.notInclude(JSON.stringify(body), telephone.cookie.slice(15))
      const other = own.find(({ current }) => !current)?.id ?? ""
      const current = own.find((one) => one.current)?.id ?? ""

      assert.strictEqual((yield* stranger.ask("DELETE", `/api/sessions/${other}`)).status, 404)
      assert.strictEqual((yield* desk.ask("DELETE", `/api/sessions/${current}`)).status, 409)
      const ended = yield* desk.ask("DELETE", `/api/sessions/${other}`)
      assert.deepStrictEqual(ended.body, { id: other, ended: true })
      assert.strictEqual((yield* telephone.ask("GET", "/api/session")).status, 401)
      assert.strictEqual((yield* desk.ask("DELETE", `/api/sessions/${other}`)).status, 404)
      assert.lengthOf((yield* desk.ask("GET", "/api/sessions")).body.data, 1)
      const { secret } = yield* world.keyOf()
      assert.strictEqual((yield* world.withKey(secret)("GET", "/api/sessions")).status, 403)
      assert.include(
        (yield* world.audited()).map(({ action, subjectId }) => `${action} ${subjectId}`),
        `session.ended ${other}`
      )
    })
  )

  it.live("a signed-in person is counted by the session, and an invented cookie by the address", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld({ requestsPerMinute: 12 })
      const { email } = yield* world.personOf("AGENT")
      const desk = yield* world.signIn(email)
      for (let request = 0; request < 30; request++)
        assert.strictEqual((yield* desk.ask("GET", "/api/session")).status, 200, `request ${request}`)
      const counted = yield* desk.ask("GET", "/api/session")
      assert.strictEqual(counted.headers.get("ratelimit-limit"), "600")
      const invented = (n: number) => ({ headers: { cookie: `parley_session=${`${n}`.padEnd(43, "x")}` } })
      const statuses: Array<number> = []
      for (let request = 0; request < 12; request++)
        statuses.push((yield* world.send("GET", "/api/session", invented(request))).status)
      assert.include(statuses, 401)
      assert.strictEqual(statuses.at(-1), 429)
      assert.strictEqual((yield* desk.ask("GET", "/api/session")).status, 200)
    })
  )

  it.live("a wrong password and an unknown address cannot be told apart", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const person = yield* world.personOf("OWNER")
      yield* world.hashedAsServed(person)
      const { email } = person
      const timed = (address: string) =>
        Effect.gen(function* () {
          const start = performance.now()
          const { status, body } = yield* world.send("POST", "/api/session", {
            body: { email: address, password: "no" }
          })
          return { status, body, ms: performance.now() - start }
        })
      yield* timed("warm@example.com")
      const [wrong, unknown] = [yield* timed(email), yield* timed("nobody@example.com")]
      assert.deepStrictEqual(
        [wrong.status, wrong.body],
        [401, { error: "The e-mail address or the password is wrong." }]
      )
      assert.deepStrictEqual([unknown.status, unknown.body], [wrong.status, wrong.body])
      // Both answers derive a key, which takes most of their time. Without it an answer takes a few milliseconds.
      assert.isAbove(unknown.ms, 15)
      assert.isAbove(unknown.ms, wrong.ms / 5)
    })
  )

  it.live("a change without the session's own CSRF token is refused, and reading needs no token", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const mine = yield* world.as("OWNER")
      const other = yield* world.as("OWNER")
      for (const token of ["", "x", other.csrf, `${mine.csrf}x`]) {
        const refused = yield* mine.ask("POST", "/api/voice-agents", {
          body: agent,
          headers: { "x-csrf-token": token }
        })
        assert.strictEqual(refused.status, 403, token)
        assert.match(refused.body.error, /X-CSRF-Token/)
        assert.strictEqual(
          (yield* mine.ask("DELETE", "/api/session", { headers: { "x-csrf-token": token } })).status,
          403
        )
      }
      assert.strictEqual((yield* mine.ask("GET", "/api/voice-agents", { headers: { "x-csrf-token": "" } })).status, 200)
    })
  )

  it.live(
    "each role has its rights: an AGENT sees voice agents, an ADMIN administers, an OWNER sets the MCP server",
    () =>
      Effect.gen(function* () {
        const world = yield* makeAccessWorld()
        const [human, admin] = [yield* world.as("AGENT"), yield* world.as("ADMIN")]
        assert.strictEqual((yield* human.ask("GET", "/api/voice-agents")).status, 200)
        const refused = yield* human.ask("POST", "/api/voice-agents", { body: agent })
        assert.deepStrictEqual(
          [refused.status, refused.body],
          [403, { error: "The role AGENT may not do this: it lacks voice:write. An OWNER or ADMIN may." }]
        )
        for (const path of ["/api/api-keys", "/api/audit-log", "/api/voice-phone-numbers/sip-credentials"])
          assert.strictEqual((yield* human.ask("GET", path)).status, 403, path)
        assert.strictEqual((yield* admin.ask("GET", "/api/audit-log")).status, 200)
        const key = yield* admin.ask("POST", "/api/api-keys", { body: { name: "mcp", scopes: ["mcp"] } })
        assert.deepStrictEqual(
          [key.status, key.body],
          [403, { error: "A key cannot have more than its maker, who lacks mcp." }]
        )
      })
  )

  it.live(
    "a session ends when it is old, when it is idle and when the password changes, and its secret is stored hashed",
    () =>
      Effect.gen(function* () {
        const world = yield* makeAccessWorld()
        const person = yield* world.personOf("OWNER")
        const { organizationId, provide } = world
        const sessions = [
          yield* world.signIn(person.email),
          yield* world.signIn(person.email),
          yield* world.signIn(person.email)
        ]
        const rows = (statement: string) =>
          provide(Effect.flatMap(SqlClient.SqlClient, (sql) => tenant(organizationId)(sql.unsafe(statement))))
        const stored = JSON.stringify(yield* rows("SELECT * FROM sessions"))
        for (const { cookie } of sessions) assert.notInclude(stored, cookie.slice(15))
        const [old, idle, changed] = sessions
        const ids = (yield* rows("SELECT id FROM sessions ORDER BY id")) as ReadonlyArray<{ id: string }>
        yield* rows(`UPDATE sessions SET expires_at = now() WHERE id = '${ids[0].id}'`)
        yield* rows(`UPDATE sessions SET last_seen_at = now() - interval '12 hours' WHERE id = '${ids[1].id}'`)
        assert.strictEqual((yield* old.ask("GET", "/api/session")).status, 401)
        assert.strictEqual((yield* idle.ask("GET", "/api/session")).status, 401)
        assert.strictEqual((yield* changed.ask("GET", "/api/session")).status, 200)
        const users = yield* provide(Users)
        const another = yield* users.hash("another one entirely", person)
        assert.strictEqual(yield* users.setPassword(organizationId, person.id, another), 3)
        assert.strictEqual((yield* changed.ask("GET", "/api/session")).status, 401)
        assert.strictEqual((yield* world.signIn(person.email)).answer.status, 401)
        assert.strictEqual((yield* world.signIn(person.email, "another one entirely")).answer.status, 201)
      })
  )

  it.live("a session does not begin when the password has changed since it was checked, or the person has left", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const { organizationId, id, email } = yield* world.personOf("AGENT")
      const [users, sessions] = [yield* world.provide(Users), yield* world.provide(UserSessions)]
      const check = (secret: string) =>
        Effect.flatMap(users.verify(email, secret), (found) => Effect.fromNullishOr(found))
      const before = yield* check(password)
      yield* users.setPassword(organizationId, id, yield* users.hash("another one entirely", { organizationId, email }))
      assert.isUndefined(yield* sessions.start(before))
      const after = yield* check("another one entirely")
      assert.isDefined(yield* sessions.start(after))
      yield* users.change(organizationId, id, { active: false })
      assert.isUndefined(yield* sessions.start(after))
    })
  )

  it.live("another spelling of an address does not sign in, so that no spelling has separate attempts", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const users = yield* world.provide(Users)
      const email = "ida@example.com"
      const { organizationId } = world
      const passwordHash = yield* users.hash(password, { organizationId, email })
      yield* users.create({ organizationId, email, name: "Ida", role: "OWNER", passwordHash })
      assert.strictEqual((yield* world.signIn("\u0130da@example.com")).answer.status, 401)
      assert.strictEqual((yield* world.signIn("IDA@example.com")).answer.status, 201)
    })
  )

  it.live(
    "guessing stops after ten attempts at an account, even with the right password, and other accounts are not affected",
    () =>
      Effect.gen(function* () {
        const world = yield* makeAccessWorld()
        const [mine, other] = [yield* world.personOf("OWNER"), yield* world.personOf("OWNER")]
        for (let attempt = 0; attempt < 10; attempt++) {
          const address = attempt % 2 === 0 ? mine.email : mine.email.toUpperCase()
          assert.strictEqual((yield* world.signIn(address, "guess")).answer.status, 401)
        }
        const { answer } = yield* world.signIn(mine.email)
        assert.strictEqual(answer.status, 429)
        assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/)
        assert.isNull(answer.headers.get("set-cookie"))
        assert.strictEqual((yield* world.signIn(other.email)).answer.status, 201)
      })
  )

  it.live("guesses from other addresses do not lock a person out until ten addresses guess", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld({ trustedProxies: ["127.0.0.1"] })
      const { email } = yield* world.personOf("OWNER")
      const from = (address: string, secret = password) =>
        Effect.map(
          world.send("POST", "/api/session", {
            body: { email, password: secret },
            headers: { "x-forwarded-for": address }
          }),
          ({ status }) => status
        )
      const guesses = (address: string) =>
        Effect.forEach(
          Array.from({ length: 12 }, () => address),
          (client) => from(client, "guess")
        )
      assert.deepStrictEqual((yield* guesses("198.51.100.1")).slice(-3), [401, 429, 429])
      assert.strictEqual(yield* from("203.0.113.1"), 201)
      const many = Array.from({ length: 9 }, (_, n) => `198.51.100.${n + 2}`)
      yield* Effect.forEach(many, guesses, { concurrency: "unbounded" })
      assert.strictEqual(yield* from("203.0.113.2"), 429)
    })
  )

  it.live("a household's IPv6 addresses count as one address when passwords or invitations are guessed", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld({ trustedProxies: ["127.0.0.1"] })
      const guesses = [
        ["/api/session", (n: number) => ({ email: `nobody${n}@example.com`, password: "guess" })],
        ["/api/users/accept-invitation", (n: number) => ({ token: `guess${n}`, password: "correct horse battery" })]
      ] as const
      for (const [path, bodyOf] of guesses) {
        const guess = (n: number, network: string) =>
          Effect.map(
            world.send("POST", path, {
              body: bodyOf(n),
              headers: { "x-forwarded-for": `${network}::${n.toString(16)}` }
            }),
            ({ status }) => status
          )
        for (let n = 1; n <= 30; n++) assert.strictEqual(yield* guess(n, "2001:db8:0:1"), 401)
        assert.strictEqual(yield* guess(31, "2001:db8:0:1"), 429)
        assert.strictEqual(yield* guess(31, "2001:db8:0:2"), 401)
      }
    })
  )

  it.live("an invalid sign-in is refused with a sentence that reveals nothing", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const cases: ReadonlyArray<readonly [unknown, RegExp]> = [
        ["{", /JSON/],
        [{}, /^email is invalid/],
        [{ email: 1, password: "x" }, /^email is invalid/],
        [{ email: "a@b.c" }, /^password is invalid/],
        [{ email: "a@b.c", password: ["x"] }, /^password is invalid/],
        [{ email: "a".repeat(255), password: "x" }, /^email is invalid/],
        [{ email: "a@b.c", password: "x".repeat(1_001) }, /^password is invalid/]
      ]
      for (const [body, sentence] of cases) {
        const answer = yield* world.send("POST", "/api/session", { body })
        assert.strictEqual(answer.status, 400, JSON.stringify(body))
        assert.match(answer.body.error, sentence)
      }
      const odd = ["'OR'1'='1'--@x", "<script>@x", "a@b@c", "a\u0000@b.c"]
      for (const email of odd) {
        const { status } = yield* world.send("POST", "/api/session", { body: { email, password: "x" } })
        assert.strictEqual(status, /^[^@\0]+@[^@]+$/.test(email) ? 401 : 400, email)
      }
      for (const cookie of ["parley_session=", "parley_session=x", "parley_session=%00", "other=1"])
        assert.strictEqual((yield* world.send("GET", "/api/session", { headers: { cookie } })).status, 401, cookie)
      const { secret } = yield* world.keyOf()
      assert.strictEqual((yield* world.withKey(secret)("GET", "/api/session")).status, 403)
    })
  )
})
