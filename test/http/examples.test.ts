/**
 * Every request in our description is sent to the service as it stands there. The requests tell of one shop that sets itself up, so each is sent when
 * what it names is there. Only ids and secrets that the service makes are replaced: those of an example answer by those of the real one.
 */
import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { start as startChannel } from "../../simulators/channel/CloudApi.ts"
import { sign } from "../../simulators/telephone/Signature.ts"
import { start as startTelephone } from "../../simulators/telephone/TelephoneNetwork.ts"
import { exampleIds, exampleOf } from "../../src/domain/basics/Examples.ts"
import { Template, Templates } from "../../src/domain/messaging/templates/Templates.ts"
import { Users } from "../../src/domain/people/access/User.ts"
import { csrfToken } from "../../src/domain/people/access/UserSession.ts"
import { engineSignatureHeader, signEngineRequest } from "../../src/domain/voice/engine/EngineSignature.ts"
import { TelephonyConnections } from "../../src/domain/voice/telephony/PhoneNumber.ts"
import { CustomersApi, OperatorsApi } from "../../src/http/groups/Api.ts"
import { template } from "../support/channel.ts"
import { furnish } from "../support/furnished.ts"
import { type Messaging, startMessagingWith } from "../support/messaging.ts"
import { operatorHeaders } from "../support/operators.ts"
import { cheapHash } from "../support/passwords.ts"
import { startedSession } from "../support/sessions.ts"
import { newOrganization } from "../support/tenants.ts"
import { publicBaseUrl, secret } from "./world.ts"

interface Media {
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
interface Described {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string; readonly required?: boolean }>
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>
}
interface Operation extends Described {
  readonly method: string
  readonly path: string
  readonly type: string
  readonly requests: ReadonlyArray<unknown>
}

const examplesOf = ({ example, examples = {} }: Media = {}): ReadonlyArray<unknown> => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples).map(({ value }) => value)
]

/** The operations of a document whose requests have bodies. Files have no examples. */
const operationsIn = (document: unknown): ReadonlyArray<Operation> => {
  const { paths }: { paths: Record<string, Record<string, Described>> } = JSON.parse(JSON.stringify(document))
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      Object.entries(operation.requestBody?.content ?? {})
        .filter(([type]) => type !== "multipart/form-data")
        .map(([type, media]) => ({
          ...operation,
          method: method.toUpperCase(),
          path,
          type,
          requests: examplesOf(media)
        }))
    )
  )
}

/** What others need comes first, in this order; then all others; then what ends the session that asks. */
const first = [
  "messagingConnection.set",
  "contacts.create",
  "voiceConsents.grant",
  "messagingConsents.optIn",
  "users.create",
  "users.acceptInvitation",
  "knowledgeBases.create",
  "knowledgeSources.create",
  "voiceAgents.create",
  "textAgents.create",
  "evaluations.create",
  "phoneNumbers.add",
  "webhooks.create",
  "messages.send",
  "conversationNotes.create",
  "conversationNotes.update",
  "imports.contacts",
  "imports.cancel"
]
const last = ["users.setPassword"]
const rank = ({ operationId }: Operation) => {
  if (last.includes(operationId)) return first.length + 1
  const found = first.indexOf(operationId)
  return found < 0 ? first.length : found
}

/** An id, or the value of a field that holds a secret. */
const isMade = (name: string, value: string) => /^[a-z]{2,4}_[0-9A-Z]{26}$/.test(value) || /^(token|key)$/.test(name)

/** What an answer has where its example has an id or a secret, by the text of the example. */
const madeBy = (example: unknown, answer: unknown, name = ""): ReadonlyArray<readonly [string, string]> => {
  if (typeof example === "string" && typeof answer === "string") return isMade(name, example) ? [[example, answer]] : []
  if (typeof example !== "object" || example === null || typeof answer !== "object" || answer === null) return []
  return Object.entries(example).flatMap(([field, inner]) => madeBy(inner, Reflect.get(answer, field), field))
}

/** The request with the real ids and secrets. */
const filled = (request: unknown, known: ReadonlyMap<string, string>): string =>
  [...known].reduce((text, [example, real]) => text.replaceAll(example, real), JSON.stringify(request))

const password = "seven maple leaves"

/** Maple Books, whose owner has signed in. */
const openShop = async (messaging: Messaging, account: { readonly accountSid: string; readonly authToken: string }) => {
  const { run } = messaging
  return await run(
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization({
        name: "Maple Books",
        plan: "ENTERPRISE",
        timeZone: "America/New_York",
        flags: { voiceAgents: true }
      })
      const users = yield* Users
      const email = "mia@maplebooks.example"
      const passwordHash = cheapHash(password)
      const user = { organizationId, email, name: "Mia Chen", role: "OWNER" } as const
      const { id } = yield* users.create({ ...user, passwordHash })
      const { cookie } = yield* startedSession({ ...user, id }, passwordHash.stored)
      yield* (yield* TelephonyConnections).save({ organizationId, ...account })
      const { name, components } = exampleOf(Template)
      yield* (yield* Templates).replace(organizationId, [template({ name, components })], Date.now())
      return { organizationId, ownerId: id, cookie }
    })
  )
}

const stage = Effect.gen(function* () {
  const accounts = ["1", "2"].map((digit) => ({
    accountSid: `AC${digit.repeat(32)}`,
    authToken: digit.repeat(32),
    webhookUrl: "http://not.used"
  }))
  const telephone = yield* Effect.acquireRelease(
    Effect.promise(() =>
      startTelephone({
        accountSid: `AC${"0".repeat(32)}`,
        authToken: "not used",
        webhookUrl: "http://not.used",
        accounts
      })
    ),
    ({ close }) => Effect.promise(close)
  )
  const channel = yield* Effect.acquireRelease(
    Effect.promise(() => startChannel()),
    (simulator) => Effect.promise(() => simulator.close())
  )
  const messaging = yield* startMessagingWith({ telephonyUrl: telephone.url, messagingUrl: channel.url })
  return { messaging, channel, accounts }
})

interface Sent {
  readonly status: number
  readonly text: string
}

const sender =
  (base: string) =>
  async (method: string, path: string, body: string, headers: Readonly<Record<string, string>>): Promise<Sent> => {
    const response = await fetch(base + path, { method, headers, ...(method === "GET" ? {} : { body }) })
    return { status: response.status, text: await response.text() }
  }

/** What needs a provider that is connected, a service without organizations, an open stream, a call under way, two contacts or two nodes: its own tests send it. */
const elsewhere = new Set([
  "paymentLinks.create",
  "setup.create",
  "events.watch",
  "calls.say",
  "calls.whisper",
  "calls.takeOver",
  "slack.replaceMappings",
  "contacts.merge",
  "operatorNodes.drain",
  "operatorNodes.open"
])

const wrong = ({ method, path }: Operation, body: string, { status, text }: Sent): ReadonlyArray<string> =>
  status >= 200 && status < 300 ? [] : [`${method} ${path} ${body.slice(0, 300)}: ${status} ${text.slice(0, 300)}`]

describe("the examples of requests", () => {
  it.live(
    "in /openapi.json are answered with success, as they stand there",
    () =>
      Effect.gen(function* () {
        const { messaging, channel, accounts } = yield* stage
        const credentials = operationsIn(OpenApi.fromApi(CustomersApi)).find(
          ({ operationId }) => operationId === "messagingConnection.set"
        )?.requests[0] as Record<"phoneNumberId" | "businessAccountId" | "accessToken" | "appSecret", string>
        const { phoneNumberId, businessAccountId: accountId, accessToken, appSecret } = credentials
        channel.accounts.addNumber({ phoneNumberId, accountId, accessToken, appSecret })
        const problems = yield* Effect.promise(async () => {
          const shop = await openShop(messaging, accounts[0])
          const send = sender(messaging.base)
          const session = {
            cookie: `parley_session=${shop.cookie}`,
            "x-csrf-token": csrfToken(shop.cookie),
            "content-type": "application/json"
          }
          const known = new Map<string, string>([
            [exampleIds.organization, shop.organizationId],
            [exampleIds.owner, shop.ownerId]
          ])
          /** The id of the newest record of a collection, which the path goes on from. */
          const idIn = async (collection: string, operation: Operation): Promise<string> => {
            if (operation.operationId === "users.setPassword") return shop.ownerId
            // The tool of the agent that the example of making one makes.
            if (/^\/api\/voice-agents\/[^/]+\/tools$/.test(collection)) return "find_order"
            const path = collection === "/api/contacts" ? "/api/messaging-api/contacts" : collection
            const { text } = await send("GET", path, "", session)
            const { data = [] } = JSON.parse(text) as { data?: ReadonlyArray<{ id: string }> }
            return data[0]?.id ?? `no-record-in-${path}`
          }
          const pathOf = async (operation: Operation): Promise<string> => {
            const [before, ...parts] = operation.path.split(/\{\w+\}/)
            let path = before
            // Integrations are named by the catalogue.
            if (before === "/api/integrations/") return operation.path.replace("{provider}", "webhook")
            for (const part of parts) path += `${await idIn(path.slice(0, -1), operation)}${part}`
            return path
          }
          const found: Array<string> = []
          const operations = [...operationsIn(OpenApi.fromApi(CustomersApi))]
            .filter(({ operationId }) => !elsewhere.has(operationId))
            .sort((a, b) => rank(a) - rank(b))
          assert.isAtLeast(operations.length, 33)
          for (const operation of operations) {
            for (const request of operation.requests) {
              const text = operation.type === "application/json" ? filled(request, known) : String(request)
              const sent = await send(operation.method, await pathOf(operation), text, {
                ...session,
                "content-type": operation.type
              })
              found.push(...wrong(operation, text, sent))
              // No worker applies them, and an organization may have only so many at a time. The one that later examples need stays.
              if (sent.status === 201 && /^\/api\/\w+\/import$/.test(operation.path))
                await send("POST", `/api/messaging-api/imports/${JSON.parse(sent.text).id}/cancel`, "", session)
              const [example] = examplesOf(operation.responses[sent.status]?.content?.["application/json"])
              if (sent.status < 300 && example !== undefined)
                for (const [was, is] of madeBy(example, JSON.parse(sent.text))) known.set(was, is)
            }
          }
          return found
        })
        assert.deepStrictEqual(problems, [])
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "in /openapi-operators.json are answered with success, signed by those who send them",
    () =>
      Effect.gen(function* () {
        const { messaging, accounts } = yield* stage
        const problems = yield* Effect.promise(async () => {
          const shop = await furnish(messaging, accounts[1])
          const send = sender(messaging.base)
          const { accountSid, authToken } = shop.connection
          const known = new Map<string, string>([
            [exampleIds.organization, shop.organizationId],
            [exampleIds.agent, shop.agent.id],
            [exampleIds.call, shop.live.id],
            ["AC0f1e2d3c4b5a69788796a5b4c3d2e1f0", accountSid],
            ["CA5f2b0c7d9e41a3865f2b0c7d9e41a386", shop.live.callSid ?? ""],
            ["+16175550142", shop.phone],
            ["106540352242922", shop.channel.phoneNumberId]
          ])
          const values: Readonly<Record<string, string>> = {
            orgId: shop.organizationId,
            agentId: shop.agent.id,
            id: shop.placed.id,
            transfer: shop.transfer.id,
            call: shop.live.id,
            flag: "voicePremium"
          }
          const operator = await operatorHeaders(messaging, "noor@parley.example")
          const ask = (operation: Operation, text: string): Promise<Sent> => {
            const { method, tags, type, parameters = [] } = operation
            const query = new URLSearchParams(
              parameters
                .filter((one) => one.in === "query" && one.required)
                .map(({ name }): [string, string] => [name, values[name]])
            ).toString()
            const isOfOperators = operation.path.startsWith("/api/operator/")
            const named = isOfOperators ? { ...values, id: shop.organizationId } : values
            const bare = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => named[name])
            const path = query === "" ? bare : `${bare}?${query}`
            if (isOfOperators) return send(method, path, text, { "content-type": type, ...operator })
            if (tags[0] === "telephony") {
              const given = JSON.parse(text) as Record<string, string>
              // The call that was placed is not the live one.
              const isPlaced = operation.operationId === "telephony.outbound"
              const form = isPlaced ? { ...given, CallSid: `CA${"7".repeat(32)}` } : given
              const signature = sign(authToken, publicBaseUrl + path, form)
              return send(method, path, new URLSearchParams(form).toString(), {
                "content-type": type,
                "x-twilio-signature": signature
              })
            }
            const signature =
              tags[0] === "messagingWebhooks"
                ? {
                    "x-hub-signature-256": `sha256=${createHmac("sha256", shop.channel.appSecret).update(text).digest("hex")}`
                  }
                : { [engineSignatureHeader]: signEngineRequest(secret, { method, path, body: text }, Date.now()) }
            return send(method, path, text, { "content-type": type, ...signature })
          }
          const found: Array<string> = []
          const operations = operationsIn(OpenApi.fromApi(OperatorsApi)).filter(
            ({ operationId }) => !elsewhere.has(operationId)
          )
          assert.isAbove(operations.length, 10)
          for (const operation of operations)
            for (const request of operation.requests) {
              const text = filled(request, known)
              found.push(...wrong(operation, text, await ask(operation, text)))
            }
          return found
        })
        assert.deepStrictEqual(problems, [])
      }).pipe(Effect.scoped),
    240_000
  )
})
