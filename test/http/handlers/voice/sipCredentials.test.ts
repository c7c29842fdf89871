/** An organization's SIP credentials with real stores. The telephony provider is simulated and checks requests by its vendor's description. */
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { platformAccount } from "../../../../simulators/telephone/provider/Provider.ts"
import type { RestFault } from "../../../../simulators/telephone/Rest.ts"
import { Audit } from "../../../../src/domain/people/access/Audit.ts"
import { tenant as asTenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { provisioned } from "../../../support/provisioning.ts"
import { post } from "../../telephone.ts"
import { publicBaseUrl } from "../../world.ts"

const path = "/sip-credentials"
const credentialsOf = ({ body }: { readonly body: Record<string, unknown> }) => ({
  username: String(body.username),
  password: String(body.password)
})
const addressOf = ({ body }: { readonly body: Record<string, unknown> }) => `sip:+14155550123@${body.sipDomain}`

describe("for SIP credentials over HTTP", () => {
  provisioned(
    "the first request provisions domain, list, both mappings and credentials, and later requests show no password",
    (world) =>
      Effect.gen(function* () {
        const acme = yield* world.tenant()
        const first = yield* acme.call("GET", path)
        assert.strictEqual(first.status, 200, JSON.stringify(first.body))
        assert.sameMembers(Object.keys(first.body), ["username", "password", "sipDomain", "isNew"])
        assert.strictEqual(first.body.sipDomain, `k-${acme.id.slice(-12).toLowerCase()}.sip.twilio.com`)
        assert.isTrue(first.body.isNew)
        for (const use of ["Calls", "Registrations"] as const)
          assert.isTrue(world.provider.admits(addressOf(first), use, credentialsOf(first)), use)
        assert.strictEqual(
          world.provider.route(addressOf(first))?.webhookUrl,
          `${publicBaseUrl}/api/webhooks/telephony/voice`
        )
        const asked = world.judged.exchanges.length
        const second = yield* acme.call("GET", path)
        assert.deepStrictEqual(second.body, { ...first.body, password: "********", isNew: false })
        assert.strictEqual(world.judged.exchanges.length, asked, "the provider is not asked again")

        const [row] = yield* SqlClient.SqlClient.pipe(
          Effect.flatMap((sql) => sql<{ password: string }>`SELECT * FROM sip_credentials`),
          asTenant(acme.id),
          Effect.provide(world.stores),
          Effect.orDie
        )
        assert.notInclude(row.password, String(first.body.password))
        const other = yield* world.tenant()
        assert.notStrictEqual((yield* other.call("GET", path)).body.sipDomain, first.body.sipDomain)
        assert.lengthOf(
          [...world.provider.accounts.values()].filter(({ owner }) => owner === platformAccount.accountSid),
          3
        )
      })
  )

  provisioned("two first requests at once provision once, and one of them shows the password", (world) =>
    Effect.gen(function* () {
      const acme = yield* world.tenant()
      const answers = yield* Effect.all([acme.call("GET", path), acme.call("GET", path)], { concurrency: 2 })
      assert.deepStrictEqual(answers.map(({ body }) => body.isNew).sort(), [false, true])
      assert.strictEqual(answers[0].body.username, answers[1].body.username)
      assert.strictEqual(world.provider.domains.size, 1)
      assert.strictEqual(world.provider.credentialLists.size, 1)
      const [list] = world.provider.credentialLists.values()
      assert.strictEqual(list.credentials.size, 1)
    })
  )

  provisioned("regenerating gives a new password at once and ends the old one", (world) =>
    Effect.gen(function* () {
      const acme = yield* world.tenant()
      const before = yield* acme.call("GET", path)
      const after = yield* acme.call("POST", `${path}/regenerate`)
      assert.deepInclude(after.body, { username: before.body.username, sipDomain: before.body.sipDomain, isNew: true })
      assert.notStrictEqual(after.body.password, before.body.password)
      assert.isTrue(world.provider.admits(addressOf(after), "Calls", credentialsOf(after)))
      assert.isFalse(world.provider.admits(addressOf(after), "Calls", credentialsOf(before)))
    })
  )

  provisioned(
    "revoking ends the credentials and leaves domain and list, so the next request gets new credentials at once",
    (world) =>
      Effect.gen(function* () {
        const acme = yield* world.tenant()
        assert.strictEqual((yield* acme.call("DELETE", path)).status, 404)
        const before = yield* acme.call("GET", path)
        assert.deepStrictEqual((yield* acme.call("DELETE", path)).body, { revoked: true })
        assert.isFalse(world.provider.admits(addressOf(before), "Calls", credentialsOf(before)))
        const [[domainSid], [listSid]] = [
          [...world.provider.domains.keys()],
          [...world.provider.credentialLists.keys()]
        ]
        const after = yield* acme.call("GET", path)
        assert.deepInclude(after.body, { isNew: true, sipDomain: before.body.sipDomain })
        assert.deepStrictEqual([...world.provider.domains.keys()], [domainSid])
        assert.deepStrictEqual([...world.provider.credentialLists.keys()], [listSid])
        assert.isTrue(world.provider.admits(addressOf(after), "Calls", credentialsOf(after)))
      })
  )

  provisioned("being made, made anew and taken away are on record, once each and without the password", (world) =>
    Effect.gen(function* () {
      const [acme, other] = [yield* world.tenant(), yield* world.tenant()]
      const audited = Effect.fnUntraced(function* ({ id }: { readonly id: string }) {
        const audit = yield* Audit
        return (yield* audit.list(id, {}, 1, 100)).data
      }, Effect.provide(world.stores))
      const passwords = [String((yield* acme.call("GET", path)).body.password)]
      yield* acme.call("GET", path)
      world.network.faults.restFault = (method, at) =>
        method === "POST" && at.includes("/Credentials/") ? "refuse" : undefined
      assert.strictEqual((yield* acme.call("POST", `${path}/regenerate`)).status, 500)
      world.network.faults.restFault = null
      const finished = yield* acme.call("GET", path)
      passwords.push(String(finished.body.password))
      yield* acme.call("DELETE", path)
      const entries = yield* audited(acme)
      const username = String(finished.body.username)
      assert.deepStrictEqual(
        entries.map(({ action, subjectId, before, after }) => [action, subjectId, before, after]),
        [
          ["sip_credentials.revoked", acme.id, { username }, null],
          ["sip_credentials.regenerated", acme.id, { username }, { username }],
          ["sip_credentials.created", acme.id, null, { username }]
        ]
      )
      assert.isTrue(entries.every(({ actor }) => actor.type === "key" && actor.id !== null))
      for (const password of passwords) assert.notInclude(JSON.stringify(entries), password)
      assert.isEmpty(yield* audited(other))
    })
  )

  const steps = [
    "/Accounts.json",
    "/SIP/Domains.json",
    "/SIP/CredentialLists.json",
    "/Auth/Calls/CredentialListMappings.json",
    "/Auth/Registrations/CredentialListMappings.json",
    "/Credentials.json"
  ]
  for (const fault of ["refuse", "lose"] satisfies Array<RestFault>)
    provisioned(
      `a failure at any step (${fault}) is finished by the next request, and nothing is made twice`,
      (world) =>
        Effect.forEach(
          steps,
          Effect.fnUntraced(function* (step) {
            const { provider, network } = world
            const counts = () => [provider.accounts.size, provider.domains.size, provider.credentialLists.size]
            const before = counts()
            const acme = yield* world.tenant()
            network.faults.restFault = (method, at) => (method === "POST" && at.endsWith(step) ? fault : undefined)
            const failed = yield* acme.call("GET", path)
            assert.strictEqual(failed.status, 500, step)
            assert.deepStrictEqual(Object.keys(failed.body), ["error"])
            network.faults.restFault = null
            const finished = yield* acme.call("GET", path)
            assert.deepInclude(finished.body, { isNew: true }, `${step}: ${JSON.stringify(finished.body)}`)
            assert.isTrue(provider.admits(addressOf(finished), "Calls", credentialsOf(finished)), step)
            assert.isTrue(provider.admits(addressOf(finished), "Registrations", credentialsOf(finished)), step)
            assert.deepStrictEqual(
              counts(),
              before.map((count) => count + 1),
              step
            )
          }),
          { discard: true }
        )
    )

  provisioned(
    "a regeneration whose answer is lost is finished by the next request, which shows the password in force",
    (world) =>
      Effect.gen(function* () {
        const acme = yield* world.tenant()
        yield* acme.call("GET", path)
        world.network.faults.restFault = (method, at) =>
          method === "POST" && at.includes("/Credentials/") ? "lose" : undefined
        assert.strictEqual((yield* acme.call("POST", `${path}/regenerate`)).status, 500)
        world.network.faults.restFault = null
        const next = yield* acme.call("GET", path)
        assert.isTrue(next.body.isNew)
        assert.isTrue(world.provider.admits(addressOf(next), "Calls", credentialsOf(next)))
      })
  )

  provisioned("administrators only; and a plan without voice has none, but may still revoke", (world) =>
    Effect.gen(function* () {
      const clerk = yield* world.tenant(["voice:read", "voice:write"])
      for (const [method, at] of [
        ["GET", path],
        ["DELETE", path],
        ["POST", `${path}/regenerate`]
      ] as const) {
        const answer = yield* clerk.call(method, at)
        assert.strictEqual(answer.status, 403)
        assert.match(String(answer.body.error), /admin/)
      }
      const small = yield* world.tenant(undefined, { plan: "PRO" })
      assert.match(String((yield* small.call("GET", path)).body.error), /Premium or Enterprise/)
      assert.strictEqual((yield* small.call("DELETE", path)).status, 404)
      assert.strictEqual(world.judged.exchanges.length, 0)
    })
  )

  provisioned("five requests a minute per organization, together; the sixth says when to come back", (world) =>
    Effect.gen(function* () {
      const [acme, other] = [yield* world.tenant(), yield* world.tenant()]
      const limitState = ({ headers }: { readonly headers: Headers }) =>
        ["ratelimit-limit", "ratelimit-remaining"].map((name) => headers.get(name))
      assert.deepStrictEqual(limitState(yield* acme.call("GET", path)), ["5", "4"])
      yield* acme.call("POST", `${path}/regenerate`)
      yield* acme.call("DELETE", path)
      assert.deepStrictEqual(limitState(yield* acme.call("DELETE", path)), ["5", "1"])
      assert.deepStrictEqual(limitState(yield* acme.call("GET", path)), ["5", "0"])
      const sixth = yield* acme.call("GET", path)
      assert.strictEqual(sixth.status, 429)
      assert.match(String(sixth.body.error), /Too many requests for SIP credentials: 5 are allowed in 1m/)
      assert.deepStrictEqual(limitState(sixth), ["5", "0"])
      const seconds = Number(sixth.headers.get("retry-after"))
      assert.isTrue(Number.isInteger(seconds) && seconds > 0 && seconds <= 60, String(seconds))
      assert.strictEqual(sixth.headers.get("ratelimit-reset"), String(seconds))
      assert.strictEqual((yield* other.call("GET", path)).status, 200, "another organization's count is its own")
    })
  )

  provisioned("a carrier's call to the domain is answered by the agent of the called number", (world) =>
    Effect.gen(function* () {
      const acme = yield* world.tenant()
      const agentId = yield* acme.agent
      yield* acme.call("POST", "", { phoneNumber: "+919812345678", origin: "sip", agentId })
      const to = addressOf(yield* acme.call("GET", path)).replace("+14155550123", "+919812345678")
      const routed = world.provider.route(to)
      assert.isDefined(routed)
      const { accountSid, authToken, webhookUrl } = routed
      const call = (called: string, token: string) =>
        Effect.promise(() => {
          const form = {
            AccountSid: accountSid,
            CallSid: `CA${called.length}${"0".repeat(30)}`,
            CallStatus: "ringing",
            From: "sip:+14155550100@carrier.example.com",
            To: called
          }
          return post(world.world, webhookUrl.replace(publicBaseUrl, ""), form, token)
        })
      assert.match((yield* call(to, authToken)).text, /<Connect.*<Stream/)
      assert.match((yield* call(`${to};transport=tls`, authToken)).text, /<Connect.*<Stream/)
      assert.match((yield* call(to.replace("+9198", "+9197"), authToken)).text, /not in service/)
      assert.strictEqual((yield* call(to, platformAccount.authToken)).status, 403, "signed by another account")
      assert.deepInclude(world.world.engine.setups[0], { agentId, from: "+14155550100", to: "+919812345678" })
    })
  )
})
