/** An organization with people and keys on a real database, behind a real server, and a client that acts like a browser. */
import { randomBytes } from "node:crypto"
import { type Context, Effect, Layer } from "effect"
import type { Role, Scope } from "../../src/domain/people/access/Access.ts"
import { ApiKeys } from "../../src/domain/people/access/ApiKey.ts"
import { Audit, type AuditRecord } from "../../src/domain/people/access/Audit.ts"
import { Users } from "../../src/domain/people/access/User.ts"
import { makeWorld, type WorldOptions } from "../http/world.ts"
import { cheapHash } from "./passwords.ts"
import { newOrganization, testStores } from "./tenants.ts"

export const password = "correct horse battery"

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests are about
  readonly body: any
  readonly headers: Headers
}

export interface Sent {
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

type Stores = Layer.Success<typeof testStores>

export interface AccessWorldOptions extends Omit<WorldOptions, "stores"> {
  /** Changes the stores of the service, for instance to count what is asked of them. */
  readonly changed?: (stores: Context.Context<Stores>) => Context.Context<Stores>
}

/** Lives as long as the scope. */
export const makeAccessWorld = ({ changed = (stores) => stores, ...options }: AccessWorldOptions = {}) =>
  Effect.gen(function* () {
    const stores = changed(yield* Layer.build(testStores))
    const world = yield* makeWorld({ ...options, stores: Layer.succeedContext(stores) })
    const provide = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, stores as Context.Context<R>)
    const { id: organizationId } = yield* provide(newOrganization())

    const keyOf = (scopes?: ReadonlyArray<Scope>, organization = organizationId) =>
      provide(
        Effect.flatMap(ApiKeys, (keys) =>
          keys.create({ organizationId: organization, name: "test", ...(scopes === undefined ? {} : { scopes }) })
        )
      )

    const personOf = Effect.fnUntraced(function* (role: Role, organization = organizationId) {
      const email = `${randomBytes(4).toString("hex")}@example.com`
      const users = yield* Users
      const passwordHash = cheapHash(password)
      const { id } = yield* users.create({ organizationId: organization, email, name: "Ada", role, passwordHash })
      return { id, email, organizationId: organization }
    }, provide)

    /** Gives a person the hash that the service itself makes of the password, instead of a cheap one. */
    const hashedAsServed = Effect.fnUntraced(function* (person: Effect.Success<ReturnType<typeof personOf>>) {
      const users = yield* Users
      yield* users.setPassword(person.organizationId, person.id, yield* users.hash(password, person))
    }, provide)

    /** Every answer is checked against `/openapi.json`. */
    const send = (method: string, path: string, { body, headers = {} }: Sent = {}): Effect.Effect<Answer> =>
      Effect.promise(async (signal) => {
        const response = await fetch(world.base + path, {
          signal,
          method,
          headers: { "content-type": "application/json", ...headers },
          ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
        })
        const text = await response.text()
        const answer: unknown = text === "" ? undefined : JSON.parse(text)
        world.contract.check(method, path, response.status, answer)
        return { status: response.status, body: answer ?? {}, headers: response.headers }
      })

    /** Sends a request with a key. */
    const withKey =
      (secret: string) =>
      (method: string, path: string, sent: Sent = {}) =>
        send(method, path, { ...sent, headers: { authorization: `Bearer ${secret}`, ...sent.headers } })

    /** Signs in as a browser does; `ask` sends cookie and CSRF token. */
    const signIn = Effect.fnUntraced(function* (email: string, secret = password) {
      const answer = yield* send("POST", "/api/session", { body: { email, password: secret } })
      const setCookie = answer.headers.get("set-cookie") ?? ""
      const cookie = setCookie.split(";")[0]
      const csrf: string = answer.body.csrfToken ?? ""
      const ask = (method: string, path: string, sent: Sent = {}) =>
        send(method, path, { ...sent, headers: { cookie, "x-csrf-token": csrf, ...sent.headers } })
      return { answer, setCookie, cookie, csrf, ask }
    })

    /** A new user who is signed in. */
    const as = Effect.fnUntraced(function* (role: Role, organization = organizationId) {
      const person = yield* personOf(role, organization)
      return { ...person, ...(yield* signIn(person.email)) }
    })

    const audited = (organization = organizationId): Effect.Effect<ReadonlyArray<AuditRecord>> =>
      provide(Effect.flatMap(Audit, (audit) => audit.list(organization, {}, 1, 100))).pipe(
        Effect.map(({ data }) => data)
      )

    const otherOrganization = provide(Effect.map(newOrganization(), ({ id }) => id))

    return {
      ...world,
      organizationId,
      stores,
      provide,
      keyOf,
      personOf,
      hashedAsServed,
      send,
      withKey,
      signIn,
      as,
      audited,
      otherOrganization
    }
  })
