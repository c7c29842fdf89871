/**
 * An organization as people of the dashboard see it: colleagues, conversations of every kind, templates, quick replies, products and orders; and while the demo goes on, a
 * message now and then and a call every minute.
 */
import { randomBytes } from "node:crypto"
import { Console, Effect, Schedule } from "effect"
import type { World } from "../../../simulators/World.ts"
import type { Role } from "../../domain/people/access/Access.ts"
import { ApiKeys } from "../../domain/people/access/ApiKey.ts"
import { Users } from "../../domain/people/access/User.ts"
import { connectNumber } from "./channelNumber.ts"
import { type DemoConversation, demoConversations, laterLines, quickReplies, templates } from "./demoConversations.ts"
import { makeRecords } from "./demoRecords.ts"
import { type Access, ask } from "./support/rest.ts"
import { until } from "./support/until.ts"

export interface SignIn {
  readonly id: string
  readonly email: string
  readonly password: string
}

/** Creates a person with a random password. Addresses are of this organization alone, as several demos may share a database. */
const person = Effect.fnUntraced(function* (organizationId: string, name: string, role: Role) {
  const users = yield* Users
  const email = `${name.split(" ")[0].toLowerCase()}.${randomBytes(3).toString("hex")}@maplebooks.example`
  const password = randomBytes(9).toString("base64url")
  const passwordHash = yield* users.hash(password, { organizationId, email })
  const { id } = yield* users.create({ organizationId, email, name, role, passwordHash })
  return { id, email, password } satisfies SignIn
})

/** One person of each role. */
const hirePeople = (organizationId: string) =>
  Effect.all({
    owner: person(organizationId, "Meera Kapoor", "OWNER"),
    admin: person(organizationId, "Sofia Lindqvist", "ADMIN"),
    agent: person(organizationId, "Daniel Ortiz", "AGENT")
  })

interface Listed<Item> {
  readonly data: ReadonlyArray<Item>
}
interface Chat {
  readonly id: string
  readonly contact: { readonly id: string; readonly phone: string | null }
  readonly channel: string
}

const messaging = "/api/messaging-api"

export interface Furnished {
  readonly owner: SignIn
  readonly admin: SignIn
  readonly agent: SignIn
  readonly phoneNumberId: string
}

/** The organization and the channel over which people write to it. */
export interface Living {
  readonly baseUrl: string
  readonly organizationId: string
  readonly channel: World["channel"]
}

type Setting = Living & Access

/** The conversation with whoever has this number, once it is there. */
const chatWith = (access: Access, waId: string) =>
  until(
    `The message of +${waId} did not arrive`,
    20,
    Effect.map(ask(access, "GET", `${messaging}/chats?limit=100`), (answer) =>
      (answer as unknown as Listed<Chat>).data.find(
        ({ contact, channel }) => channel === "messaging" && contact.phone === `+${waId}`
      )
    )
  )

const write = Effect.fnUntraced(function* (setting: Setting, furnished: Furnished, conversation: DemoConversation) {
  const { from, messages, answer, note, labels, tags, resolved, mine } = conversation
  for (const message of messages) {
    setting.channel.write(furnished.phoneNumberId, from, message)
    // The channel reports whole seconds, and messages of one second have no order of their own.
    yield* Effect.sleep("60 millis")
  }
  const chat = yield* chatWith(setting, from.waId ?? "")
  if (answer !== undefined)
    yield* ask(setting, "POST", `${messaging}/send`, { to: chat.contact.id, type: "text", text: answer })
  if (note !== undefined) yield* ask(setting, "POST", `${messaging}/chats/${chat.id}/notes`, { text: note })
  if (tags !== undefined) yield* ask(setting, "PATCH", `${messaging}/contacts/${chat.contact.id}`, { tags })
  const changes = {
    ...(labels === undefined ? {} : { labels }),
    ...(mine === undefined ? {} : { assignee: furnished.owner.id, read: true }),
    ...(resolved === undefined ? {} : { status: "RESOLVED", read: true })
  }
  if (Object.keys(changes).length > 0) yield* ask(setting, "PATCH", `${messaging}/chats/${chat.id}`, changes)
})

const scopes = [
  "admin",
  "contacts:read",
  "contacts:write",
  "conversations:read",
  "conversations:write",
  "messages:read",
  "messages:send",
  "modules:write"
] as const

/** Furnishes the organization. Needs Users and ApiKeys. */
export const furnish = Effect.fnUntraced(function* ({ baseUrl, organizationId, channel }: Living) {
  const { secret: key } = yield* (yield* ApiKeys).create({ organizationId, name: "furnishing", scopes })
  const setting: Setting = { baseUrl, organizationId, channel, key }
  const people = yield* hirePeople(setting.organizationId)
  const phoneNumberId = yield* connectNumber(setting)
  const furnished: Furnished = { ...people, phoneNumberId }
  const account = setting.channel.accounts.numbers.get(phoneNumberId)
  for (const template of templates) setting.channel.accounts.addTemplate(account?.accountId ?? "", template)
  yield* ask(setting, "POST", `${messaging}/templates/sync`, {})
  for (const reply of quickReplies) yield* ask(setting, "POST", `${messaging}/quick-replies`, reply)
  for (const conversation of demoConversations) yield* write(setting, furnished, conversation)
  yield* makeRecords(setting)
  return furnished
})

/** Somebody writes every 20 seconds, and `call` is placed every minute, for as long as the scope lives. */
export const keepAlive = Effect.fnUntraced(function* <A, E, R>(
  { channel }: Pick<Living, "channel">,
  { phoneNumberId }: Furnished,
  call: Effect.Effect<A, E, R>
) {
  let at = 0
  const writes = Effect.sync(() => {
    const { from } = demoConversations[at % demoConversations.length]
    channel.write(phoneNumberId, from, { type: "text", text: { body: laterLines[at++ % laterLines.length] } })
  })
  yield* Effect.forkScoped(Effect.repeat(writes, Schedule.spaced("20 seconds")))
  const calls = Effect.catchCause(call, (cause) => Effect.logWarning("a call of the demo failed", cause))
  yield* Effect.forkScoped(Effect.repeat(calls, Schedule.spaced("1 minute")))
})

/** Says where the dashboard is, and how to sign in. */
export const sayHowToSignIn = (baseUrl: string, { owner, admin, agent }: Furnished) =>
  Console.log(
    [
      "",
      `The dashboard: ${baseUrl}`,
      `  Sign in as the owner:  ${owner.email}   ${owner.password}`,
      `  as an admin:           ${admin.email}   ${admin.password}`,
      `  or as an agent:        ${agent.email}   ${agent.password}`,
      "  Somebody writes every 20 seconds, and somebody phones every minute."
    ].join("\n")
  )
