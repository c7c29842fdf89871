/** Converts refusals of provisioning into HTTP errors: 400, 403, 404, 409 or 500. */
import type { ProvisioningRefused } from "../../../domain/voice/telephony/ProvisioningRefused.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"

const errors = {
  invalid: BadRequest,
  not_allowed: Forbidden,
  not_found: NotFound,
  conflict: Conflict,
  provider: ServerError
} as const

export const provisioningError = ({ reason, message }: ProvisioningRefused) => new errors[reason]({ error: message })
