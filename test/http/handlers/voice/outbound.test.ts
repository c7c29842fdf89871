/** Calls we place, over HTTP: reasons to refuse one, the provider's webhooks about it, and consent. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { contact, organization } from "../../memory.ts"
import { account, hooks, post as postSigned } from "../../telephone.ts"
import { makeWorld, type World } from "../../world.ts"

const callSid = `CA${"1".repeat(32)}`
const abroad = "+442079460100"
const american = "+14155550142"

const settings = {
  name: "Sales",
  welcomeMessage: "Good day.",
  voiceFamily: "english",
  voiceId: "aura-2-thalia-en",
  systemPrompt: "Sell books."
}

interface Office {
  readonly world: World
  readonly agentId: string
  readonly dial: (body: unknown, key?: string) => ReturnType<World["call"]>
  readonly post: (
    path: string,
    fields: Record<string, string>,
    token?: string
  ) => Promise<{ status: number; text: string }>
}

/** An agent with a number, and two contacts. */
const scenario = (name: string, run: (office: Office) => Promise<void>) =>
  it.live(name, () =>
    Effect.flatMap(makeWorld(), (world) =>
      Effect.promise(async () => {
        const { memory } = world
        memory.connections.set(account.accountSid, account)
        const agentId = String((await world.call("POST", "/api/voice-agents", settings)).body.id)
        const agent = memory.agents.get(agentId)
        if (agent !== undefined) memory.agents.set(agentId, { ...agent, phoneNumber: "+14155550123" })
        memory.contacts.push(
          contact({ id: "cnt_1", phone: american, name: "Asha Rao", tags: ["vip"] }),
          contact({ id: "cnt_2", organizationId: "org_2", phone: abroad })
        )
        const dial: Office["dial"] = (body, key) => world.call("POST", `/api/voice-agents/${agentId}/calls`, body, key)
        const post: Office["post"] = (path, form, token) =>
          postSigned(world, path, { AccountSid: account.accountSid, CallSid: callSid, ...form }, token)
        await run({ world, agentId, dial, post })
      })
    )
  )

const refusedWith = async (answer: ReturnType<World["call"]>, status: number, error: RegExp) => {
  const { status: got, body } = await answer
  assert.strictEqual(got, status, JSON.stringify(body))
  assert.match(String(body.error), error)
}

describe("a request for a call", () => {
  scenario("records the call as queued, wakes the dialer, and shows the call", async ({ world, agentId, dial }) => {
    const { status, body } = await dial({ to: "+44 20 7946 0100", dealId: "deal_9" })
    assert.strictEqual(status, 201)
    assert.deepInclude(body, {
      agentId,
      status: "queued",
      direction: "outbound",
      from: "+14155550123",
      to: abroad,
      dealId: "deal_9",
      callSid: null
    })
    assert.strictEqual(world.memory.woken, 1)
    assert.strictEqual((await world.call("GET", `/api/calls/${body.id}`)).status, 200)
  })

  scenario("is refused with a sentence for each reason against it", async ({ world, agentId, dial }) => {
    const { memory } = world
    const change = (changes: Parameters<typeof organization>[0]) =>
      memory.organizations.set("org_1", organization(changes))
    await refusedWith(dial({ to: "0207 946 0100" }), 400, /country code/)
    await refusedWith(dial({}), 400, /^to is invalid/)
    await refusedWith(dial({ to: abroad, dealId: "a\u0000b" }), 400, /^dealId is invalid/)
    await refusedWith(dial({ to: abroad, contactId: "a\u0000b" }), 400, /^contactId is invalid/)
    await refusedWith(dial({ to: abroad }, "mk_read"), 403, /voice:write/)
    await refusedWith(dial({ to: abroad }, "mk_2"), 404, /voice agent/)
    await refusedWith(dial({ to: abroad, contactId: "cnt_2" }), 404, /contact/)
    await refusedWith(dial({ to: abroad, contactId: "cnt_1" }), 400, /number of the contact/)
    change({ plan: "PRO" })
    await refusedWith(dial({ to: abroad }), 403, /Premium or Enterprise/)
    change({ flags: { voiceAgents: false, voicePremium: false } })
    await refusedWith(dial({ to: abroad }), 403, /switched off/)
    change({ businessHours: { weekly: [], holidays: [] } })
    await refusedWith(dial({ to: abroad }), 403, /business hours/)
    change({})
    const agent = memory.agents.get(agentId)
    if (agent !== undefined) memory.agents.set(agentId, { ...agent, phoneNumber: null })
    await refusedWith(dial({ to: abroad }), 400, /no phone number/)
    assert.isEmpty(memory.calls)
  })

  scenario(
    "gets 429 with the time to try again when the organization has reached its limit of calls",
    async ({ world, dial }) => {
      world.memory.organizations.set("org_1", organization({ plan: "ENTERPRISE", concurrentCalls: 1 }))
      assert.strictEqual((await dial({ to: abroad })).status, 201)
      const second = await dial({ to: abroad })
      assert.strictEqual(second.status, 429)
      assert.match(second.headers.get("retry-after") ?? "", /^\d+$/)
    }
  )

  scenario("to a +1 number needs the contact's consent, which can be withdrawn", async ({ world, dial }) => {
    const path = "/api/contacts/cnt_1/voice-consent"
    await refusedWith(dial({ to: american, contactId: "cnt_1" }), 403, /prior express written consent/)
    const evidence = { grantedAt: "2026-05-01T12:00:00+02:00", source: "web form", text: "Yes, call me." }
    const { body } = await world.call("PUT", path, evidence)
    assert.deepInclude(body, { contactId: "cnt_1", consent: { ...evidence, grantedAt: "2026-05-01T10:00:00.000Z" } })
    assert.deepInclude((body.history as Array<object>)[0], { action: "granted", recordedBy: "key_1" })
    assert.strictEqual((await dial({ to: american })).status, 201)
    const withdrawn = await world.call("DELETE", path)
    assert.isNull(withdrawn.body.consent)
    assert.lengthOf(withdrawn.body.history as Array<object>, 2)
    await refusedWith(dial({ to: american }), 403, /withdrawn/)
  })

  scenario("is refused when its consent lacks evidence, and other organizations see no consent", async ({ world }) => {
    const path = "/api/contacts/cnt_1/voice-consent"
    const evidence = { source: "web form", text: "Yes." }
    await refusedWith(world.call("PUT", path, { ...evidence, grantedAt: "2999-01-01T00:00:00Z" }), 400, /future/)
    for (const grantedAt of ["1 May", "2026-05-01", "2026-05-01T12:00:00", "0000-05-01T10:00:00Z"])
      await refusedWith(world.call("PUT", path, { ...evidence, grantedAt }), 400, /^grantedAt is invalid: .*offset/)
    for (const text of ["", "a\u0000b", "\ud800"])
      await refusedWith(world.call("PUT", path, { ...evidence, text }), 400, /^text is invalid/)
    await refusedWith(world.call("PUT", path, { ...evidence, source: "a\u0000b" }), 400, /^source is invalid/)
    await refusedWith(world.call("PUT", path, evidence, "mk_none"), 403, /contacts:write/)
    for (const method of ["GET", "DELETE"])
      await refusedWith(world.call(method, path, undefined, "mk_2"), 404, /no such contact/)
    assert.isEmpty([...world.memory.consents])
  })
})

describe("a call we placed", () => {
  scenario(
    "is connected to its agent when the callee answers, and the agent knows whom it called",
    async ({ world, dial, post }) => {
      await world.call("PUT", "/api/contacts/cnt_1/voice-consent", { source: "web form", text: "Yes." })
      const { body } = await dial({ to: american, contactId: "cnt_1", dealId: "deal_9" })
      const { memory } = world
      memory.calls[0] = { ...memory.calls[0], contactId: "cnt_1" }
      const { status, text } = await post(`${hooks}/outbound/${body.id}`, { CallStatus: "in-progress" })
      assert.strictEqual(status, 200)
      assert.match(text, /<Stream /)
      assert.deepInclude(memory.calls[0], { callSid, status: "in_progress" })
      const [setup] = world.engine.setups
      assert.deepInclude(setup, { direction: "outbound", to: american, callSid, contactName: null })
      const context = (setup.context ?? []).join(" ")
      for (const fact of ["Asha Rao", american, "vip", "deal_9"]) assert.include(context, fact)
    }
  )

  scenario(
    "is hung up when its agent is removed, and plays a sentence when no engine takes it",
    async ({ world, agentId, dial, post }) => {
      const { body } = await dial({ to: abroad })
      world.engine.full = true
      const path = `${hooks}/outbound/${body.id}`
      assert.match((await post(path, {})).text, /<Say>We cannot take your call right now/)
      assert.deepInclude(world.memory.calls[0], { status: "failed", endReason: "capacity" })
      assert.match((await post(path, {})).text, /<Response><Hangup\/>/)
      const second = await dial({ to: abroad })
      world.memory.agents.delete(agentId)
      assert.match((await post(`${hooks}/outbound/${second.body.id}`, { CallSid: "CA2" })).text, /<Say>/)
    }
  )

  scenario(
    "counts as ringing until it is answered or ends, and reports of other calls do not count",
    async ({ world, dial, post }) => {
      const [answered, ended] = [await dial({ to: abroad }), await dial({ to: abroad })].map(({ body }) =>
        String(body.id)
      )
      const ringing = () => Effect.runPromise(world.ringing.count)
      for (const id of [answered, ended]) await Effect.runPromise(world.ringing.placed(id, 30))
      await post(`${hooks}/status?call=${ended}`, { CallSid: "CA2", CallStatus: "ringing" })
      await post(`${hooks}/status?call=${ended}`, { CallSid: "CA3", CallStatus: "completed" })
      assert.strictEqual((await post(`${hooks}/outbound/${ended}`, { CallSid: "CA3" })).status, 404)
      assert.strictEqual(await ringing(), 2)
      await post(`${hooks}/outbound/${answered}`, { CallStatus: "in-progress" })
      assert.strictEqual(await ringing(), 1)
      await post(`${hooks}/status?call=${ended}`, { CallSid: "CA2", CallStatus: "no-answer" })
      assert.strictEqual(await ringing(), 0)
    }
  )

  scenario("plays nothing when an answering machine takes it", async ({ dial, post, world }) => {
    const { body } = await dial({ to: abroad })
    const { text } = await post(`${hooks}/outbound/${body.id}`, { AnsweredBy: "machine_start" })
    assert.match(text, /<Response><Hangup\/>/)
    assert.deepInclude(world.memory.calls[0], { status: "completed", endReason: "agent_hangup" })
  })

  scenario("follows the provider's callbacks, which may come before its id is known", async ({ world, dial, post }) => {
    const { body } = await dial({ to: abroad })
    const path = `${hooks}/status?call=${body.id}`
    const tell = (CallStatus: string, SequenceNumber: string) => post(path, { CallStatus, SequenceNumber })
    assert.strictEqual((await tell("ringing", "1")).status, 200)
    assert.deepInclude(world.memory.calls[0], { status: "ringing", callSid })
    await tell("initiated", "0")
    assert.strictEqual(world.memory.calls[0].status, "ringing")
    await tell("no-answer", "2")
    assert.strictEqual(world.memory.calls[0].status, "no_answer")
    // A report of another call of the account does not change this one, and a report of an unknown call changes nothing.
    assert.strictEqual((await post(path, { CallSid: "CA_other", CallStatus: "completed" })).status, 200)
    assert.strictEqual(world.memory.calls[0].status, "no_answer")
    assert.strictEqual((await post(`${hooks}/status`, { CallSid: "CA_other", CallStatus: "completed" })).status, 200)
  })

  scenario("is found only by its own account, and refused without a valid signature", async ({ world, dial, post }) => {
    const { body } = await dial({ to: abroad })
    const path = `${hooks}/outbound/${body.id}`
    assert.strictEqual((await post(path, {}, "another token")).status, 403)
    assert.strictEqual((await post(`${hooks}/status?call=${body.id}`, { CallStatus: "ringing" }, "x")).status, 403)
    const stranger = { ...account, organizationId: "org_2", accountSid: `AC${"2".repeat(32)}`, authToken: "theirs" }
    world.memory.connections.set(stranger.accountSid, stranger)
    const foreign = { AccountSid: stranger.accountSid, CallStatus: "completed" }
    assert.strictEqual((await post(path, foreign, "theirs")).status, 404)
    assert.strictEqual((await post(`${hooks}/status?call=${body.id}`, foreign, "theirs")).status, 200)
    assert.deepInclude(world.memory.calls[0], { status: "queued", callSid: null })
  })
})

describe("an inbound call", () => {
  const form = { CallStatus: "ringing", From: "+919812345678", To: "+14155550123" }

  scenario("is refused once the flag is off, while a running call goes on", async ({ world, agentId, post }) => {
    world.memory.numbers.set("org_1/+14155550123", agentId)
    assert.match((await post(`${hooks}/voice`, form)).text, /<Stream /)
    world.memory.organizations.set("org_1", organization({ flags: { voiceAgents: false, voicePremium: false } }))
    assert.match((await post(`${hooks}/voice`, { ...form, CallSid: "CA2" })).text, /not available at the moment/)
    assert.strictEqual(world.memory.calls[0].status, "ringing")
    await post(`${hooks}/status`, { CallStatus: "completed", CallDuration: "9" })
    assert.strictEqual(world.memory.calls[0].status, "completed")
  })
})
