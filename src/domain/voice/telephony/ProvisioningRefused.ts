/** Why a number or SIP credentials could not be provisioned, as the API client is told. Each reason has one HTTP status. */
import { Effect, Schema } from "effect"
import type { Busy } from "../../basics/Exclusive.ts"
import type { ProvisioningError } from "./Provisioning.ts"

export class ProvisioningRefused extends Schema.TaggedError<ProvisioningRefused>()("ProvisioningRefused", {
  /** In this order: HTTP 400, 403, 404, 409, 500. */
  reason: Schema.Literals(["invalid", "not_allowed", "not_found", "conflict", "provider"]),
  message: Schema.String
}) {}

export const refused = (reason: ProvisioningRefused["reason"], message: string) =>
  new ProvisioningRefused({ reason, message })

const reasons = {
  not_found: "not_found",
  not_available: "conflict",
  rejected: "invalid",
  account: "provider",
  unknown: "provider"
} as const satisfies Record<ProvisioningError["reason"], ProvisioningRefused["reason"]>

const busy = "Another request is changing this organization's telephony. Please try again in a moment."

/** Turns a `ProvisioningError` or `Busy` of the effect into `ProvisioningRefused`. */
export const asRefused = <A, E, R>(effect: Effect.Effect<A, E | ProvisioningError | Busy, R>) =>
  Effect.catchIf(
    effect,
    (error): error is Extract<E | ProvisioningError | Busy, ProvisioningError | Busy> =>
      typeof error === "object" &&
      error !== null &&
      "_tag" in error &&
      (error._tag === "ProvisioningError" || error._tag === "Busy"),
    (error) =>
      refused(error._tag === "Busy" ? "conflict" : reasons[error.reason], error._tag === "Busy" ? busy : error.message)
  )
