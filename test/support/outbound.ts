/** An organization that places calls. The provider is a stand-in that records its requests; the process can freeze at any step. */
import { Clock, Effect, Layer } from "effect"
import { Draining } from "../../src/domain/basics/Draining.ts"
import { DoNotCall } from "../../src/domain/people/contacts/DoNotCall.ts"
import type { NewOrganization } from "../../src/domain/people/organizations/Organization.ts"
import { VoiceAgents } from "../../src/domain/voice/agents/VoiceAgent.ts"
import { makeDialCalls } from "../../src/domain/voice/calls/outbound/DialCalls.ts"
import { Dialer, Placements } from "../../src/domain/voice/calls/outbound/Placement.ts"
import {
  type CallOrder,
  type ProviderCall,
  ProviderCalls
} from "../../src/domain/voice/calls/outbound/ProviderCalls.ts"
import { makeRequestCall, OutboundPolicy, outboundDefaults } from "../../src/domain/voice/calls/outbound/RequestCall.ts"
import { RingingCalls } from "../../src/domain/voice/calls/outbound/RingingCalls.ts"
import { PhoneNumbers, TelephonyConnections } from "../../src/domain/voice/telephony/PhoneNumber.ts"
import { TelephonyError } from "../../src/domain/voice/telephony/Telephony.ts"
import { savedContact } from "./contacts.ts"
import { agentOf, newOrganization } from "./tenants.ts"

export const webhooks = "https://app.example.test/api/webhooks/telephony"

let serial = 1_000
const unique = () => `${++serial}`

export const policyLayer = (changes: Partial<typeof outboundDefaults> = {}) =>
  Layer.succeed(OutboundPolicy, { ...outboundDefaults, ...changes, webhooks })

/** The provider's side: the requests it got and the calls it has. */
export class FakeProviderCalls {
  readonly orders: Array<CallOrder> = []
  readonly calls: Array<ProviderCall & { readonly to: string; readonly from: string }> = []
  /** The results of the next requests, in order. All later requests succeed. */
  readonly fates: Array<"take" | "vanish" | "lose the answer" | "lose the request" | TelephonyError> = []
  /** Whether the provider refuses to list its calls. */
  silent = false

  readonly layer = Layer.succeed(ProviderCalls, {
    create: (_account, order) =>
      Effect.gen({ self: this }, function* () {
        this.orders.push(order)
        const fate = this.fates.shift() ?? "take"
        if (fate instanceof TelephonyError) return yield* fate
        if (fate === "vanish") return yield* Effect.never
        const lost = new TelephonyError({ status: null, code: null, message: "no answer" })
        if (fate === "lose the request") return yield* lost
        const call = yield* this.has(order)
        return fate === "lose the answer" ? yield* lost : call
      }),
    fetch: (_account, callSid) =>
      Effect.suspend(() => {
        const call = this.calls.find((made) => made.callSid === callSid)
        if (call === undefined)
          return Effect.fail(new TelephonyError({ status: 404, code: 20404, message: "not found" }))
        return Effect.succeed(call)
      }),
    placed: (_account, { from, to }) =>
      Effect.suspend(() =>
        this.silent
          ? Effect.fail(new TelephonyError({ status: 503, code: null, message: "out of order" }))
          : Effect.succeed(this.calls.filter((call) => call.from === from && call.to === to))
      )
  })

  /** Adds this call to the provider's calls. */
  has({ from, to }: Pick<CallOrder, "from" | "to">) {
    return Effect.map(Clock.currentTimeMillis, (createdAt) => {
      const call = {
        callSid: `CA${unique().padStart(32, "0")}`,
        status: "queued",
        createdAt,
        endedAt: null,
        durationSeconds: null,
        from,
        to
      } as const
      this.calls.push(call)
      return call
    })
  }
}

/** Gives an organization an agent that has a number, and a contact abroad, whom it may call without consent. */
export const equippedToCall = Effect.fnUntraced(function* (organizationId: string) {
  const agent = agentOf(organizationId)
  yield* (yield* VoiceAgents).create(agent)
  yield* Effect.orDie((yield* PhoneNumbers).assign(organizationId, `+1415666${unique()}`, agent.id))
  const connection = { organizationId, accountSid: `AC${unique().padStart(32, "0")}`, authToken: unique() }
  yield* (yield* TelephonyConnections).save(connection)
  const contact = yield* savedContact(organizationId, {
    phone: `+44207946${unique()}`,
    name: "Asha Rao",
    tags: ["vip"]
  })
  return { organizationId, agent, contact, connection }
})

/** A new organization with such an agent, number and contact. */
export const caller = (changes: Partial<NewOrganization> = {}) =>
  Effect.flatMap(newOrganization(changes), ({ id }) => equippedToCall(id))

/** Requests calls, as the REST interface does. */
export const requests = Effect.fnUntraced(function* (changes: Partial<typeof outboundDefaults> = {}) {
  return yield* makeRequestCall.pipe(
    Effect.provide([policyLayer(changes), Layer.succeed(Dialer, { wake: Effect.void }), DoNotCall.layerNone])
  )
})

/** A process that places calls. With `freezes` it stops forever between two steps, like a killed process. */
export const dialer = Effect.fnUntraced(function* (
  provider: FakeProviderCalls,
  options: {
    readonly freezes?: "before the request" | "before the id is stored"
    readonly policy?: Partial<typeof outboundDefaults>
    readonly ringing?: RingingCalls["Service"]
  } = {}
) {
  const placements = yield* Placements
  const stored = options.freezes === "before the id is stored" ? () => Effect.never : placements.placed
  const listed = options.freezes === "before the request" ? Effect.never : Effect.succeed(undefined)
  return yield* makeDialCalls.pipe(
    Effect.provide([
      provider.layer,
      policyLayer(options.policy),
      Draining.layer,
      options.ringing === undefined ? RingingCalls.layer : Layer.succeed(RingingCalls, options.ringing),
      Layer.succeed(DoNotCall, { refusal: () => listed }),
      Layer.succeed(Placements, { ...placements, placed: stored })
    ])
  )
})
