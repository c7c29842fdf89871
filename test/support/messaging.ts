/** The messaging interface over real stores: an organization with keys, and another one that must stay invisible to it. */
import { randomInt } from "node:crypto"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ChannelAccounts } from "../../src/domain/messaging/channel/ChannelConnection.ts"
import { Conversations } from "../../src/domain/messaging/conversations/Conversation.ts"
import { Messages, type NewMessage } from "../../src/domain/messaging/conversations/Message.ts"
import type { Scope } from "../../src/domain/people/access/Access.ts"
import { ApiKeys } from "../../src/domain/people/access/ApiKey.ts"
import { Contacts } from "../../src/domain/people/contacts/Contact.ts"
import { tenant } from "../../src/integrations/postgres/tenancy/Tenant.ts"
import { makeWorld, type WorldOptions } from "../http/world.ts"
import { newOrganization, testStores } from "./tenants.ts"

export const root = "/api/messaging-api"

export interface MessagingOptions extends Omit<WorldOptions, "stores"> {
  /** Whether both organizations have a messaging channel. Default: yes. */
  readonly connected?: boolean
}

/** Gives an organization a connection to a messaging channel. */
export const connectChannel = (organizationId: string) =>
  Effect.flatMap(ChannelAccounts, (accounts) =>
    accounts.save(organizationId, {
      phoneNumberId: String(randomInt(10 ** 9, 10 ** 12)),
      businessAccountId: String(randomInt(10 ** 9, 10 ** 12)),
      accessToken: "EAAJB7q2ZCkY0BO3sXc0Zd",
      appSecret: "5f2b0c7d3a8e4f169e41",
      verifyToken: `under-the-oaks-${randomInt(10 ** 9)}`,
      phoneNumber: null,
      businessName: null
    })
  )

/** Every answer is checked against `/openapi.json`. Lives as long as the scope. */
export const startMessagingWith = Effect.fnUntraced(function* ({ connected = true, ...options }: MessagingOptions) {
  const stores = yield* Layer.build(testStores)
  const world = yield* makeWorld({ ...options, stores: Layer.succeedContext(stores) })
  const run = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof testStores>>): Promise<A> =>
    Effect.runPromise(Effect.provide(effect, stores))

  const keyOf = (organizationId: string, scopes?: ReadonlyArray<Scope>) =>
    Effect.flatMap(ApiKeys, (keys) =>
      keys.create({ organizationId, name: "k", ...(scopes === undefined ? {} : { scopes }) })
    )
  const { id: organizationId } = yield* newOrganization().pipe(Effect.provide(stores))
  const { id: otherId } = yield* newOrganization().pipe(Effect.provide(stores))
  if (connected) yield* Effect.forEach([organizationId, otherId], connectChannel).pipe(Effect.provide(stores))
  const { secret: key } = yield* keyOf(organizationId).pipe(Effect.provide(stores))
  const { secret: otherKey } = yield* keyOf(otherId).pipe(Effect.provide(stores))

  const call = (method: string, path: string, body?: unknown, as = key) => world.call(method, root + path, body, as)

  /** A conversation with a new contact, in which these texts were written by the contact. */
  const conversation = (phone: string, ...texts: ReadonlyArray<string>) =>
    conversationOf(organizationId, phone, ...texts)
  /** The same in another organization. */
  const conversationOf = (organizationId: string, phone: string, ...texts: ReadonlyArray<string>) =>
    run(
      Effect.gen(function* () {
        const { contact } = yield* (yield* Contacts).save(organizationId, { phone, name: "Asha Rao" }, "key_test")
        const conversationId = yield* (yield* Conversations).open(organizationId, contact.id, "messaging")
        const messages = yield* Messages
        for (const text of texts) {
          const message: NewMessage = {
            organizationId,
            conversationId,
            direction: "inbound",
            type: "text",
            content: { text }
          }
          yield* messages.add(message, Date.now())
        }
        return { contactId: contact.id, conversationId }
      })
    )

  /** Requests outside the root of the messaging interface. */
  const raw = (method: string, url: string, body?: unknown, as = key) => world.call(method, url, body, as)

  /** POST /send, with headers. */
  const send = async (body: unknown, as = key, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${world.base}${root}/send`, {
      method: "POST",
      headers: { authorization: `Bearer ${as}`, "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    })
    const answer = (await response.json()) as Record<string, unknown>
    world.contract.check("POST", `${root}/send`, response.status, answer)
    return { status: response.status, body: answer, headers: response.headers }
  }

  return {
    stores,
    base: world.base,
    objects: world.objects,
    world,
    call,
    raw,
    send,
    key,
    otherKey,
    organizationId,
    otherId,
    keyOf,
    run,
    conversation,
    conversationOf
  }
})
export const startMessaging = startMessagingWith({})
export type Messaging = Effect.Success<typeof startMessaging>

/** All data that a request could have changed in an organization, as one text. */
export const contents = ({ organizationId, run }: Messaging) =>
  run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const parts = yield* Effect.forEach(
        ["contacts", "contact_tags", "conversations", "messages", "outbox", "events", "consents", "audit_log"],
        (name) => tenant(organizationId)(sql`SELECT to_jsonb(t) AS row FROM ${sql(name)} t ORDER BY t::text`)
      )
      return JSON.stringify(parts)
    })
  )
