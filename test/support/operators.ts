/** An installation with an operator, and a client that acts like the operator's browser. */
import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import { makeManageOperators } from "../../src/domain/operators/ManageOperators.ts"
import { type Operator, Operators } from "../../src/domain/operators/Operator.ts"
import type { WorldOptions } from "../http/world.ts"
import { type Answer, makeAccessWorld, type Sent } from "./access.ts"
import { cheapHash } from "./passwords.ts"

export const operatorPassword = "seven quiet harbours"

const newOperator = (email = `${randomBytes(4).toString("hex")}@parley.example`) =>
  Effect.gen(function* () {
    const operators = yield* Operators
    const hash = (password: string) => Effect.succeed(cheapHash(password).stored)
    const { add } = yield* Effect.provideService(makeManageOperators, Operators, { ...operators, hash })
    return yield* add({ email, name: "Noor Haddad" }, operatorPassword)
  }).pipe(Effect.orDie)

interface Installation {
  readonly base: string
  readonly run: (effect: ReturnType<typeof newOperator>) => Promise<Operator>
}

/** What a new operator who has signed in sends with each request. */
export const operatorHeaders = async ({ base, run }: Installation, address?: string) => {
  const { email } = await run(newOperator(address))
  const answer = await fetch(`${base}/api/operator/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: operatorPassword })
  })
  const { csrfToken } = (await answer.json()) as { readonly csrfToken: string }
  return { cookie: (answer.headers.get("set-cookie") ?? "").split(";")[0], "x-csrf-token": csrfToken }
}

/** Lives as long as the scope. */
export const makeOperatorWorld = (options: Omit<WorldOptions, "stores"> = {}) =>
  Effect.gen(function* () {
    const world = yield* makeAccessWorld(options)
    const addOperator = Effect.suspend(() => world.provide(newOperator()))
    const signInOperator = Effect.fnUntraced(function* (email: string, password = operatorPassword) {
      const answer = yield* world.send("POST", "/api/operator/session", { body: { email, password } })
      const setCookie = answer.headers.get("set-cookie") ?? ""
      const cookie = setCookie.split(";")[0]
      const csrf: string = answer.body.csrfToken ?? ""
      const ask = (method: string, path: string, sent: Sent = {}): Effect.Effect<Answer> =>
        world.send(method, `/api/operator/${path}`, {
          ...sent,
          headers: { cookie, "x-csrf-token": csrf, ...sent.headers }
        })
      return { answer, setCookie, cookie, csrf, ask }
    })
    const operator = yield* addOperator
    const { ask, cookie, csrf } = yield* signInOperator(operator.email)
    /** What the installation's log tells, newest first. */
    const events = Effect.map(
      ask("GET", "events?limit=100"),
      ({ body }): ReadonlyArray<Record<string, unknown>> => body.data
    )
    return { ...world, operator, ask, cookie, csrf, events, addOperator, signInOperator }
  })
