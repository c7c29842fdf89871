/**
 * Asks payment providers about links: a payment that no webhook has told is found, and a link that is over is closed there. What is due is stored, so
 * nothing is lost when a process dies. Several processes may run it.
 */
import { Effect, Layer } from "effect"
import { startFairWork } from "../../domain/basics/FairWork.ts"
import { makeFollowPayments } from "../../domain/payments/FollowPayments.ts"
import { PaymentLinks } from "../../domain/payments/PaymentLink.ts"

export interface PaymentWorkerOptions {
  /** How often it looks for what is due, in milliseconds. Default 5,000. */
  readonly lookEveryMs?: number
  /** Milliseconds until another process may take over a link of this one. Longer than asking takes. Default 120,000. */
  readonly leaseMs?: number
}

/** The most links at a time, in this process. */
const most = { perLane: 4, perOrganization: 4, perProcess: 64 }

/** Needs PaymentLinks, Audit and what opens connections to providers. */
export const layer = ({ lookEveryMs = 5_000, leaseMs = 120_000 }: PaymentWorkerOptions = {}) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const links = yield* PaymentLinks
      const { follow } = yield* makeFollowPayments
      yield* startFairWork({
        ...{ what: "payments to ask about", most, lookEveryMs },
        due: (now, full, lanes) =>
          Effect.map(links.due(now, full, lanes), (found) =>
            found.map((organizationId) => ({ organizationId, lane: organizationId }))
          ),
        claim: ({ organizationId }, now, room) =>
          Effect.map(links.claim(organizationId, now, leaseMs, room.most), (claimed) => claimed.map(follow))
      })
    })
  )
