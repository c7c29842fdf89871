import { assert, layer } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import * as DialerActor from "../../../../src/actors/voice/dialing/Dialer.ts"
import { Draining } from "../../../../src/domain/basics/Draining.ts"
import { DoNotCall } from "../../../../src/domain/people/contacts/DoNotCall.ts"
import { Dialer } from "../../../../src/domain/voice/calls/outbound/Placement.ts"
import { ProviderCalls } from "../../../../src/domain/voice/calls/outbound/ProviderCalls.ts"
import { RingingCalls } from "../../../../src/domain/voice/calls/outbound/RingingCalls.ts"
import { Calls } from "../../../../src/domain/voice/calls/records/CallRecord.ts"
import { eventually } from "../../../support/eventually.ts"
import { caller, dialer, FakeProviderCalls, policyLayer, requests } from "../../../support/outbound.ts"
import { testStores } from "../../../support/tenants.ts"

layer(testStores, { excludeTestServices: true })("the worker that places calls", (it) => {
  it.effect("places queued calls, and leaves the rest of the queue to other processes when its own drains", () =>
    Effect.gen(function* () {
      const provider = new FakeProviderCalls()
      const context = yield* Layer.build(
        DialerActor.layer.pipe(
          Layer.provideMerge(Draining.layer),
          Layer.provide([provider.layer, policyLayer({ callsPerSecond: 50 }), DoNotCall.layerNone, RingingCalls.layer])
        )
      )
      const { organizationId, agent, contact } = yield* caller()
      const request = yield* requests()
      const ask = request(organizationId, agent.id, { to: contact.phone, contactId: contact.id })
      const wake = Context.get(context, Dialer).wake
      const ordered = (count: number) =>
        Effect.gen(function* () {
          for (let i = 0; i < 100 && provider.orders.length < count; i++) yield* Effect.sleep("50 millis")
          return provider.orders.length
        })

      yield* ask
      yield* wake
      assert.strictEqual(yield* ordered(1), 1)

      yield* Context.get(context, Draining).begin
      const waiting = yield* ask
      yield* wake
      yield* Effect.sleep("1500 millis")
      assert.strictEqual(provider.orders.length, 1)
      const call = yield* (yield* Calls).find(organizationId, waiting.id)
      assert.strictEqual(call?.status, "queued")
    }).pipe(Effect.scoped)
  )

  it.effect("places no further call of an organization when the process begins to drain between two calls", () =>
    Effect.gen(function* () {
      const provider = new FakeProviderCalls()
      const { organizationId, agent, contact } = yield* caller()
      const ask = (yield* requests())(organizationId, agent.id, { to: contact.phone, contactId: contact.id })
      yield* ask
      const second = yield* ask
      const drainsNow = Layer.effect(
        ProviderCalls,
        Effect.gen(function* () {
          const { begin } = yield* Draining
          const calls = yield* ProviderCalls
          // Does not begin at a call that another test has left in the queue: ours would be put back.
          const beginAt = (to: string) => (to === contact.phone ? begin : Effect.void)
          return {
            ...calls,
            create: (account, order) => Effect.andThen(beginAt(order.to), calls.create(account, order))
          }
        })
      ).pipe(Layer.provide(provider.layer))
      yield* Layer.build(
        DialerActor.layer.pipe(
          Layer.provide([drainsNow, policyLayer({ callsPerSecond: 50 }), DoNotCall.layerNone, RingingCalls.layer]),
          Layer.provide(Draining.layer)
        )
      )
      yield* Effect.sleep("800 millis")
      assert.lengthOf(
        provider.orders.filter(({ to }) => to === contact.phone),
        1
      )
      assert.strictEqual((yield* (yield* Calls).find(organizationId, second.id))?.status, "queued")
    }).pipe(Effect.scoped)
  )

  it.effect("puts a call back into the queue when the process begins to drain between taking it and placing it", () =>
    Effect.gen(function* () {
      const provider = new FakeProviderCalls()
      const { organizationId, agent, contact } = yield* caller()
      yield* (yield* requests())(organizationId, agent.id, { to: contact.phone, contactId: contact.id })
      /** Begins the drain while the call is checked: it does not ring yet, so the drain may be over already. */
      const drainsNow = Layer.effect(
        DoNotCall,
        Effect.map(Draining, ({ begin }) => ({
          refusal: (_, phone) => Effect.as(phone === contact.phone ? begin : Effect.void, undefined)
        }))
      )
      const ours = () => provider.orders.filter(({ to }) => to === contact.phone)
      const ringing = yield* RingingCalls
      const scope = yield* Scope.make()
      const process = DialerActor.layer.pipe(
        Layer.provide([provider.layer, policyLayer({ callsPerSecond: 50 }), drainsNow]),
        Layer.provideMerge(Draining.layer)
      )
      const { isDraining } = Context.get(yield* Layer.buildWithScope(process, scope), Draining)
      yield* eventually("it drains", isDraining)
      // Closing the scope waits for the call that was being placed.
      yield* Scope.close(scope, Exit.void)
      assert.isEmpty(ours())
      assert.strictEqual(yield* ringing.count, provider.orders.length)
      yield* (yield* dialer(provider, { policy: { callsPerSecond: 50 } })).drain(organizationId)
      assert.lengthOf(ours(), 1)
    }).pipe(Effect.provide(RingingCalls.layer), Effect.scoped)
  )
})
