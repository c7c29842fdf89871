import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeManageOperators } from "../../../../src/domain/operators/ManageOperators.ts"
import { Operators } from "../../../../src/domain/operators/Operator.ts"
import { makeOperatorWorld, operatorPassword } from "../../../support/operators.ts"

describe("at /api/operator/session", () => {
  it.live("an operator signs in, sees who they are, and signs out", () =>
    Effect.gen(function* () {
      const { operator, signInOperator, events } = yield* makeOperatorWorld()
      const { answer, setCookie, ask, cookie } = yield* signInOperator(operator.email.toUpperCase())
      assert.strictEqual(answer.status, 201)
      assert.deepStrictEqual(answer.body.operator, operator)
      assert.match(setCookie, /^parley_operator=[\w-]{43};/)
      for (const attribute of ["HttpOnly", "Secure", "SameSite=Strict", "Path=/api/operator", "Max-Age=43200"])
        assert.include(setCookie, attribute)
      assert.notInclude(JSON.stringify(answer.body), cookie.split("=")[1])
      assert.deepStrictEqual((yield* ask("GET", "session")).body, answer.body)

      const out = yield* ask("DELETE", "session")
      assert.deepStrictEqual(out.body, { ended: true })
      assert.match(out.headers.get("set-cookie") ?? "", /^parley_operator=;.*Max-Age=0/)
      assert.strictEqual((yield* ask("GET", "session")).status, 401)
      const told = (yield* events).map(({ type, actor }) => [type, actor])
      const actor = { type: "operator", id: operator.id, name: operator.name }
      assert.deepStrictEqual(told.slice(0, 2), [
        ["session.ended", actor],
        ["session.started", actor]
      ])
      assert.deepStrictEqual(told.at(-1), ["operator.added", { type: "system", id: null, name: null }])
    }).pipe(Effect.scoped)
  )

  it.live(
    "nobody of an organization gets in at any route, and the operator's cookie opens nothing of an organization",
    () =>
      Effect.gen(function* () {
        const world = yield* makeOperatorWorld()
        const owner = yield* world.as("OWNER")
        const { secret } = yield* world.keyOf(["admin"])
        const [, value] = owner.cookie.split("=")
        const tries = [
          {},
          { authorization: `Bearer ${secret}` },
          { cookie: owner.cookie, "x-csrf-token": owner.csrf },
          { cookie: `parley_operator=${value}`, "x-csrf-token": owner.csrf },
          { cookie: "parley_operator=" },
          { cookie: `parley_operator=${"x".repeat(43)}` }
        ]
        const routes = Object.entries(world.contract.document.paths).flatMap(([path, item]) =>
          path.startsWith("/api/operator/")
            ? Object.keys(item).map((method) => [method.toUpperCase(), path] as const)
            : []
        )
        assert.isAbove(routes.length, 15)
        for (const [method, path] of routes) {
          if (method === "POST" && path === "/api/operator/session") continue
          for (const headers of tries) {
            const { status, body } = yield* world.send(method, path.replace(/\{\w+\}/, "voiceAgents"), {
              headers,
              ...(method === "GET" ? {} : { body: {} })
            })
            assert.deepStrictEqual([status, Object.keys(body)], [401, ["error"]], `${method} ${path}`)
          }
        }
        const person = yield* world.send("POST", "/api/operator/session", {
          body: { email: owner.email, password: "correct horse battery" }
        })
        assert.strictEqual(person.status, 401)
        const stranger = yield* world.send("GET", "/api/organization", { headers: { cookie: world.cookie } })
        assert.strictEqual(stranger.status, 401)
        const asSession = world.cookie.replace("parley_operator", "parley_session")
        assert.strictEqual(
          (yield* world.send("GET", "/api/organization", { headers: { cookie: asSession } })).status,
          401
        )
      }).pipe(Effect.scoped)
  )

  it.live("a wrong password and an unknown address cannot be told apart, and attempts are bounded", () =>
    Effect.gen(function* () {
      const { operator, addOperator, provide, send, ask } = yield* makeOperatorWorld()
      const other = yield* addOperator
      const operators = yield* provide(Operators)
      // The hash that the service makes itself, not the cheap one of tests.
      yield* operators.setPassword(other.id, yield* operators.hash(operatorPassword))
      const timed = (email: string) =>
        Effect.gen(function* () {
          const start = performance.now()
          const { status, body } = yield* send("POST", "/api/operator/session", { body: { email, password: "no" } })
          return { status, body, ms: performance.now() - start }
        })
      const wrong = yield* timed(other.email)
      const unknown = yield* timed("nobody@parley.example")
      assert.deepStrictEqual([wrong.status, wrong.body], [unknown.status, unknown.body])
      assert.strictEqual(wrong.status, 401)
      // Without the hash an answer takes a few milliseconds.
      assert.isAbove(unknown.ms, wrong.ms / 5)
      let last = 401
      for (let attempt = 0; attempt < 12 && last === 401; attempt++) last = (yield* timed(operator.email)).status
      assert.strictEqual(last, 429)
      const right = yield* send("POST", "/api/operator/session", {
        body: { email: operator.email, password: operatorPassword }
      })
      assert.strictEqual(right.status, 429)
      assert.strictEqual((yield* ask("GET", "session")).status, 200, "who is signed in goes on")
    }).pipe(Effect.scoped)
  )

  it.live("a change needs the CSRF token, and a session ends by itself, with the password, and with the operator", () =>
    Effect.gen(function* () {
      const { operator, ask, provide, signInOperator, addOperator } = yield* makeOperatorWorld()
      const forged = yield* ask("DELETE", "session", { headers: { "x-csrf-token": "guess" } })
      assert.strictEqual(forged.status, 403)
      assert.strictEqual((yield* ask("GET", "session")).status, 200)

      const idle = yield* signInOperator(operator.email)
      yield* provide(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) =>
            sql`UPDATE operator_sessions SET last_seen_at = now() - interval '61 minutes' WHERE operator_id = ${operator.id}`
        )
      )
      assert.strictEqual((yield* idle.ask("GET", "session")).status, 401)

      const before = yield* signInOperator(operator.email)
      const { replacePassword, remove } = yield* provide(makeManageOperators)
      assert.strictEqual(yield* replacePassword(operator, "nine other harbours"), 1)
      assert.strictEqual((yield* before.ask("GET", "session")).status, 401)
      assert.strictEqual((yield* signInOperator(operator.email)).answer.status, 401)
      assert.strictEqual((yield* signInOperator(operator.email, "nine other harbours")).answer.status, 201)

      const other = yield* addOperator
      const theirs = yield* signInOperator(other.email)
      yield* remove(other)
      assert.strictEqual((yield* theirs.ask("GET", "session")).status, 401)
      assert.strictEqual((yield* signInOperator(other.email)).answer.status, 401)
    }).pipe(Effect.scoped)
  )
})
