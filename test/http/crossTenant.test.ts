/**
 * The ids of another organization, at every route. The requests are made from our OpenAPI description, so new routes are covered: each id in a path,
 * query or body is replaced by one of the other organization and by one that never existed. Both answers must be alike, and nothing of the other
 * organization may change.
 *
 * What a place takes is found out and not listed: in an organization of its own, the test looks for the kind of id, and the rest of the request, with
 * which that organization gets an answer that a never-existing id does not get. A place for which none is found fails the test.
 */
import { createHmac, randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

import type { Account } from "../../simulators/telephone/provider/Account.ts"
import { sign } from "../../simulators/telephone/Signature.ts"
import { start } from "../../simulators/telephone/TelephoneNetwork.ts"
import { newId } from "../../src/domain/basics/Ids.ts"
import { signMediaLink } from "../../src/domain/messaging/media/MediaLink.ts"
import { engineSignatureHeader, signEngineRequest } from "../../src/domain/voice/engine/EngineSignature.ts"
import { type Asked, type Furnished, furnish } from "../support/furnished.ts"
import { type Messaging, startMessagingWith } from "../support/messaging.ts"
import { type Operation, type Operations, operationsOf, type Place } from "../support/operations.ts"
import { publicBaseUrl, secret } from "./world.ts"

/** Where a request names something. */
interface Slot {
  readonly operation: Operation
  readonly in: "path" | "query" | "body" | "form"
  readonly place: Place
}

/** A kind of id, with what else the request carries, that makes a difference to the organization that has it. */
interface Use {
  readonly prefix: string
  readonly body: unknown
  readonly query: Readonly<Record<string, string>>
}

/** Ids that are not ours: those of the customer, of the channel or of the provider. Only their own systems know them. */
const notOurs: Readonly<Record<string, string>> = {
  dealId: "a customer's system has the deals",
  serverId: "an MCP server, for which there are no records yet",
  "auth.clientId": "our name at another service's authorization server",
  phoneNumberId: "the messaging channel's",
  businessAccountId: "the messaging channel's",
  "reply.id": "the customer's own name for a button",
  "rows.id": "the customer's own name for a choice",
  toolCallId: "the language model's",
  file: "the hash of a sentence, which all organizations share",
  wa_id: "the messaging channel's",
  lastEventId: "a place in the organization's own feed",
  voiceId: "a provider's",
  streamId: "of a stream that is open, which its reader alone may change",
  version: "the number of a save of an agent",
  "{token}.token": "the address of a connection, which cannot be guessed",
  provider: "a name of the catalogue, which all organizations share",
  organizationId: "the engine says for whom it asks",
  "{event}.event": "a type of events, which all organizations share",
  "webhook.id": "the engine's own name for an event",
  "webhook.agentId": "an event is its call's; the agent is only named"
}

/** Ids in bodies that the document does not describe: the provider's forms and the channel's webhooks. */
const formFields = ["CallSid"]

const prefixes = [
  "cnt",
  "cnv",
  "msg",
  "med",
  "agt",
  "call",
  "num",
  "usr",
  "ses",
  "key",
  "dev",
  "exp",
  "tpl",
  "qrp",
  "brd",
  "whk",
  "dlv",
  "trf",
  "evt",
  "syn",
  "arr",
  "kb",
  "kns",
  "bot",
  "evs",
  "evr",
  "mcs",
  "imp",
  "cmp",
  "prd",
  "ord",
  "crt",
  "sup",
  "pay"
]

const lastOf = (place: Place): string => place.filter((name) => name !== "[]").at(-1) ?? ""
/** The name of a place with the field or path around it. */
const isExempt = ({ place, operation: { path } }: Slot): boolean => {
  // No organization gets in there, whatever it names (`handlers/operators/operatorSession.test.ts`).
  if (path.startsWith("/api/operator/")) return true
  // Tries of tools are few a minute. A tool's name is no id, and a draft is read as the changes of `PUT /api/voice-agents/{id}`, whose places are tried.
  if (path.endsWith("/tools/{name}/try") && (place[0] === "name" || place[0] === "draft")) return true
  // The same of text agents, whose changes are those of `PUT /api/ai-agents/{id}`.
  if (/\/(ai-agents\/\{id\}\/try|evaluations\/\{id\}\/runs)$/.test(path) && place[0] === "draft") return true
  const names = [path.split("/").at(-1) ?? "", ...place.filter((name) => name !== "[]")]
  return Object.hasOwn(notOurs, lastOf(place)) || Object.hasOwn(notOurs, names.slice(-2).join("."))
}
const titleOf = ({ operation: { method, path }, in: where, place }: Slot) =>
  `${method} ${path} (${where} ${place.join(".")})`

/** The places of a route where an id may stand. Those of `required` must be found to take one. */
const slotsOf = (
  { textsIn, textAt }: Operations,
  operation: Operation
): ReadonlyArray<Slot & { readonly required: boolean }> => {
  // Fields that name a record end in Id, but for these two.
  const named = (place: Place) => /((^i|I)ds?|^assignee|^replyTo)$/.test(lastOf(place))
  const parameters = operation.parameters.flatMap((parameter): ReadonlyArray<Slot & { readonly required: boolean }> => {
    const { name, in: where, schema } = parameter
    if (where === "path") return [{ operation, in: where, place: [name], required: true }]
    const text = textAt(schema, [])
    if (where !== "query" || text === undefined || text.pattern !== undefined || text.format !== undefined) return []
    const required = named([name]) || (parameter.required === true && !operation.guarded && operation.method === "POST")
    return required ? [{ operation, in: where, place: [name], required }] : []
  })
  const { body } = operation
  if (body === undefined) return parameters
  if (body.type === "application/x-www-form-urlencoded")
    return [
      ...parameters,
      ...formFields.map((name) => ({ operation, in: "form" as const, place: [name], required: false }))
    ]
  const inBody = textsIn(body.schema)
    .filter(named)
    .map((place) => ({ operation, in: "body" as const, place, required: true }))
  return [...parameters, ...inBody]
}

interface Filled {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly form: Readonly<Record<string, string>>
}

/** Sends the request as this organization: with its owner's session, or signed as those who ask for it sign theirs. */
const request = async (
  of: Furnished,
  { method, path: template, guarded, body }: Operation,
  filled: Filled
): Promise<Asked> => {
  const bare = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(filled.path[name]))
  const query = new URLSearchParams(filled.query).toString()
  const path = query === "" ? bare : `${bare}?${query}`
  if (guarded) {
    if (body?.type !== "multipart/form-data") return of.ask(method, path, body === undefined ? undefined : filled.body)
    const form = new FormData()
    form.set("file", new Blob(["x"]), "x.txt")
    return of.send(method, path, form, of.session)
  }
  if (template.startsWith("/api/webhooks/telephony/")) {
    if (method === "GET") return of.send(method, path)
    const { accountSid, authToken } = of.connection
    const form = {
      AccountSid: accountSid,
      CallStatus: "completed",
      From: "+14155550142",
      To: of.phone,
      RecordingSid: `RE${"0".repeat(32)}`,
      ...filled.form
    }
    const type = "application/x-www-form-urlencoded"
    return of.send(method, path, new URLSearchParams(form).toString(), {
      "content-type": type,
      "x-twilio-signature": sign(authToken, publicBaseUrl + path, form)
    })
  }
  if (["/api/voice-agents/tool-call", "/api/voice-agents/webhook", "/api/voice-agents/notices"].includes(template)) {
    const unique = `${path}?attempt=${newId("req")}`
    const asked = filled.body as { readonly type?: string }
    // The same again would be answered as the first time.
    const own = {
      organizationId: of.organizationId,
      ...(asked.type === undefined ? { toolCallId: newId("req") } : { id: newId("evt") })
    }
    const text = JSON.stringify({ ...asked, ...own })
    const signature = signEngineRequest(secret, { method, path: unique, body: text }, Date.now())
    return of.send(method, unique, text, { "content-type": "application/json", [engineSignatureHeader]: signature })
  }
  if (template === "/api/media/{id}/file") {
    const link = {
      organizationId: of.organizationId,
      mediaId: filled.path.id,
      expires: Math.floor(Date.now() / 1_000) + 600
    }
    const parameters = new URLSearchParams({
      organization: of.organizationId,
      expires: String(link.expires),
      signature: signMediaLink(secret, link)
    })
    return of.send(method, `${bare}?${parameters}`)
  }
  if (template === "/api/webhooks/messaging" && method === "POST") {
    const text = JSON.stringify(filled.body)
    const signature = createHmac("sha256", of.channel.appSecret).update(text).digest("hex")
    return of.send(method, path, text, {
      "content-type": "application/json",
      "x-hub-signature-256": `sha256=${signature}`
    })
  }
  if (
    [
      "/api/session",
      "/api/users/accept-invitation",
      "/api/webhooks/messaging",
      "/api/integrations/{provider}/webhooks/{token}",
      "/api/integrations/slack/events",
      "/api/integrations/slack/interactions"
    ].includes(template)
  )
    return of.send(
      method,
      path,
      body === undefined ? undefined : JSON.stringify(filled.body),
      body === undefined ? {} : { "content-type": "application/json" }
    )
  throw new Error(`${method} ${template} takes requests without a key, and this test does not know who signs them`)
}

const varying = new Set([
  "date",
  "x-request-id",
  "content-length",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset"
])

/** The answer without what differs between two requests anyway: the ids, times and secrets that it was given for itself. */
const essence = ({ status, headers, text }: Asked, sent: string): string =>
  JSON.stringify([
    status,
    [...headers]
      .filter(([name]) => !varying.has(name))
      .map(([name, value]) => [name, name === "retry-after" ? "<seconds>" : value]),
    text
      .replaceAll(sent, "<the id>")
      .replace(/\b([a-z]{2,4})_[0-9A-HJKMNP-TV-Z]{26}\b/g, "$1_…")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replace(/Try again in \d+ seconds/g, "Try again in <n> seconds")
      .replace(/(mk_|whsec_)[\w+/=]+/g, "$1…")
  ])

const unknownOf = (prefix: string): string =>
  prefix === "CA" ? `CA${newId("call").slice(5).padEnd(32, "0")}` : newId(prefix as "cnt")

const shelf = Effect.gen(function* () {
  const accounts = Array.from({ length: 3 }, (_, index) => ({
    accountSid: `AC${String(index + 1).repeat(32)}`,
    authToken: randomBytes(16).toString("hex"),
    webhookUrl: "http://not.used"
  }))
  const network = yield* Effect.acquireRelease(
    Effect.promise(() =>
      start({ accountSid: `AC${"0".repeat(32)}`, authToken: "not used", webhookUrl: "http://not.used", accounts })
    ),
    ({ close }) => Effect.promise(close)
  )
  return { ...(yield* startMessagingWith({ telephonyUrl: network.url })), accounts }
})

const story = async (messaging: Messaging, accounts: ReadonlyArray<Pick<Account, "accountSid" | "authToken">>) => {
  const known = operationsOf(messaging.world.contract.document)
  const { sample, put, has, textsIn, flagsOf } = known
  const slots = known.operations.flatMap((operation) => slotsOf(known, operation)).filter((slot) => !isExempt(slot))
  const order = ["GET", "PUT", "PATCH", "POST", "DELETE"]
  // What destroys comes last; of one request, the place first that others depend on.
  const rank = (slot: Slot) => order.indexOf(slot.operation.method) * 2 + (slot.in === "path" ? 1 : 0)
  slots.reverse()
  slots.sort((a, b) => rank(a) - rank(b))
  const [caller, other, trial] = await Promise.all(accounts.map((account) => furnish(messaging, account)))

  /** The kinds of ids that places were found to take: path parameters by the path up to them, fields by their route. */
  const kinds = new Map<string, string>()
  const keyOf = ({ method, path }: Operation, where: Slot["in"], place: Place) =>
    where === "path"
      ? path.slice(0, path.indexOf(`{${place[0]}}`) + place[0].length + 2)
      : `${method} ${path} ${where} ${place.join(".")}`
  const idsOf = new Map<Furnished, ReadonlyMap<string, ReadonlyArray<string>>>()
  for (const each of [caller, other, trial]) idsOf.set(each, await each.ids())
  const ownIds = (of: Furnished, prefix: string) =>
    prefix === "CA" ? [of.live.callSid] : (idsOf.get(of)?.get(prefix) ?? [])

  /** The kinds of records whose table is named like the place: they are tried first. */
  const likely = ({ operation: { path }, place }: Slot) => {
    const [before] = path.split(`/{${lastOf(place)}}`)
    const name =
      lastOf(place) === "id" || before !== path ? (before.split("/").at(-1) ?? "") : lastOf(place).replace(/Ids?$/, "")
    return [...trial.tables].flatMap(([table, prefix]) => (table.includes(name.replaceAll("-", "_")) ? [prefix] : []))
  }

  /** The request with this id at its place; its other places name records of `rest`. */
  const fill = (
    { operation, in: where, place }: Slot,
    id: string,
    { body, query }: Omit<Use, "prefix">,
    rest: Furnished,
    callSid: string
  ): Filled => {
    // The first ones may be deleted already.
    const which = operation.method === "DELETE" ? -1 : 0
    const ownAt = (at: Slot["in"], of: Place) => ownIds(rest, kinds.get(keyOf(operation, at, of)) ?? "").at(which)
    const path: Record<string, string> = {}
    for (const { name, in: at } of operation.parameters)
      if (at === "path") path[name] = ownAt("path", [name]) ?? String(rest.words(name, []) ?? newId("req"))
    let filled = body
    for (const one of operation.body === undefined ? [] : textsIn(operation.body.schema)) {
      const own = ownAt("body", one) ?? rest.words(lastOf(one), place)
      if (typeof own === "string" && has(filled, one)) filled = put(filled, one, own)
    }
    for (const [name, value] of Object.entries((filled ?? {}) as object))
      if (JSON.stringify(value) === "{}") filled = { ...(filled as object), [name]: rest.words(name, place) ?? value }
    return {
      path: where === "path" ? { ...path, [place[0]]: id } : path,
      query: where === "query" ? { ...query, [place[0]]: id } : query,
      body: where === "body" ? put(filled, place, id) : filled,
      form: { CallSid: where === "form" ? id : callSid }
    }
  }

  const bodiesFor = ({ operation: { body }, in: where, place }: Slot): ReadonlyArray<unknown> => {
    if (body === undefined) return [undefined]
    if (body.type !== "application/json") return [sample(body.schema)]
    const smallest = sample(body.schema, where === "body" ? place : [])
    const more =
      where === "body"
        ? flagsOf(body.schema)
        : textsIn(body.schema)
            .filter((one) => one.length === 1)
            .map(([name]) => name)
    return [
      smallest,
      ...more.slice(0, 4).map((name) => ({
        ...(smallest as object),
        ...(sample(body.schema, [name]) as object),
        ...(where === "body" ? { [name]: true } : {})
      }))
    ]
  }

  /** What makes a difference to the organization that has the id; else the last two answers. */
  const useOf = async (slot: Slot): Promise<Use | string> => {
    const { operation, in: where, place } = slot
    const query = Object.fromEntries(
      operation.parameters
        .filter(({ in: at, required }) => at === "query" && required)
        .map(({ name, schema }) => [name, String(sample(schema))])
    )
    const guess = kinds.get(keyOf(operation, where, place))
    const probable = where === "form" ? ["CA"] : [...(guess === undefined ? [] : [guess]), ...likely(slot)]
    const others = where === "form" ? [] : prefixes.filter((prefix) => !probable.includes(prefix))
    // With every body before the kinds that are only possible: most requests were those of the wrong kinds.
    const tried = [[...new Set(probable)], others].flatMap((some) =>
      bodiesFor(slot).flatMap((body) => some.map((prefix) => ({ body, prefix })))
    )
    const callSids = operation.guarded ? [""] : [trial.live.callSid, unknownOf("CA")]
    const seen: Array<string> = []
    for (const { body, prefix } of tried)
      for (const callSid of callSids) {
        const use = { prefix, body, query }
        const unknown = unknownOf(prefix)
        const ids = ownIds(trial, prefix).slice(0, 8)
        if (ids.length === 0) continue
        const without = await request(trial, operation, fill(slot, unknown, use, trial, callSid))
        for (const id of ids) {
          const decided = operation.method === "GET" || without.status >= 400 || operation.guarded
          const before = decided ? [] : await trial.rows()
          const own = await request(trial, operation, fill(slot, id, use, trial, callSid))
          if (essence(own, id) !== essence(without, unknown)) return use
          if (!decided && String(await trial.rows()) !== String(before)) return use
          seen.push(`${own.status} ${own.text}`)
        }
      }
    return [...new Set(seen)].join(" | ").slice(0, 400)
  }

  const problems: Array<string> = []
  const uses = new Map<Slot, Use>()
  for (const method of order) {
    let left = slots.filter(({ operation }) => operation.method === method)
    // A place beside another one is found once the other one is.
    for (let round = 0; round < 2; round++) {
      const unfound: typeof left = []
      for (const slot of left) {
        const use = await useOf(slot)
        if (typeof use === "string") {
          unfound.push(slot)
          if (slot.required && round === 1)
            problems.push(`${titleOf(slot)}: no id of the organization itself makes a difference: ${use}`)
          continue
        }
        kinds.set(keyOf(slot.operation, slot.in, slot.place), use.prefix)
        uses.set(slot, use)
      }
      left = unfound
    }
  }

  const before = await other.rows()
  for (const [slot, use] of uses)
    for (const id of ownIds(other, use.prefix))
      for (const rest of slot.operation.path.split("{").length > 2 ? [caller, other] : [caller]) {
        const unknown = unknownOf(use.prefix)
        const callSid = slot.operation.path.includes("/outbound/") ? unknownOf("CA") : other.live.callSid
        const one = await request(caller, slot.operation, fill(slot, unknown, use, rest, callSid))
        const two = await request(caller, slot.operation, fill(slot, id, use, rest, callSid))
        if (essence(one, unknown) !== essence(two, id))
          problems.push(
            `${titleOf(slot)} ${id}: ${essence(one, unknown).slice(0, 400)} became ${essence(two, id).slice(0, 400)}`
          )
      }
  const after = await other.rows()
  problems.push(...after.filter((row) => !before.includes(row)).map((row) => `changed: ${row.slice(0, 300)}`))
  problems.push(...before.filter((row) => !after.includes(row)).map((row) => `was: ${row.slice(0, 300)}`))
  return { problems, tested: [...uses.keys()].map(titleOf) }
}

describe("the ids of another organization", () => {
  it.live(
    "are answered like ids that never existed, at every route, and nothing of the other organization changes",
    () =>
      Effect.gen(function* () {
        const messaging = yield* shelf
        const { problems, tested } = yield* Effect.promise(() => story(messaging, messaging.accounts))
        assert.deepStrictEqual(problems, [])
        assert.isAbove(tested.length, 60)
      }).pipe(Effect.scoped),
    1_200_000
  )
})
