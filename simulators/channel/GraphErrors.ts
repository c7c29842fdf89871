/** Refusals as the Graph API words them. */
import { randomBytes } from "node:crypto"
import type { ServerResponse } from "node:http"
import { sendJson } from "../support/Loopback.ts"

export interface Refusal {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly details?: string
  /** Seconds, as the `Retry-After` header. */
  readonly retryAfter?: number
}

const titles: Readonly<Record<number, readonly [status: number, message: string]>> = {
  4: [400, "Application request limit reached"],
  10: [403, "Application does not have permission for this action"],
  100: [400, "Invalid parameter"],
  190: [401, "Error validating access token: the session has been invalidated"],
  368: [403, "Temporarily blocked for policies violations"],
  80007: [400, "Rate limit hit"],
  130429: [429, "Rate limit hit"],
  130472: [400, "User's number is part of an experiment"],
  131000: [500, "Something went wrong"],
  131005: [403, "Access denied"],
  131008: [400, "Required parameter is missing"],
  131009: [400, "Parameter value is not valid"],
  131016: [500, "Service unavailable"],
  131021: [400, "Recipient cannot be sender"],
  131026: [400, "Message undeliverable"],
  131031: [403, "Business Account locked"],
  131042: [400, "Business eligibility payment issue"],
  131047: [400, "Re-engagement message"],
  131048: [400, "Spam rate limit hit"],
  131049: [400, "This message was not delivered to maintain healthy ecosystem engagement."],
  131051: [400, "Unsupported message type"],
  131052: [400, "Media download error"],
  131053: [400, "Media upload error"],
  131056: [400, "(Business Account, Consumer Account) pair rate limit hit"],
  131057: [500, "Account in maintenance mode"],
  131062: [400, "Business-scoped User ID (BSUID) recipients are not supported for this message"],
  132000: [400, "Number of parameters does not match the expected number of params"],
  132001: [404, "Template name does not exist in the translation"],
  132005: [400, "Translated text too long"],
  132007: [400, "Template format character policy violated"],
  132012: [400, "Parameter format does not match format in the created template"],
  132015: [400, "Template is paused"],
  132016: [400, "Template is disabled"],
  133010: [400, "Phone number not registered"]
}

/** The refusal with this code, as the vendor's list of codes has it. */
export const refusal = (code: number, details?: string): Refusal => {
  const [status, message] = titles[code] ?? [400, "An unknown error has occurred"]
  return { status, code, message, ...(details === undefined ? {} : { details }) }
}

/** 404 of the Graph API: code 100 with its own words. */
export const noSuchObject = (id: string): Refusal => ({
  status: 400,
  code: 100,
  message: `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`
})

export const errorBody = ({ code, message, details }: Refusal) => ({
  error: {
    message: `(#${code}) ${message}`,
    type: code === 100 ? "GraphMethodException" : "OAuthException",
    code,
    ...(details === undefined ? {} : { error_data: { messaging_product: "whatsapp", details } }),
    fbtrace_id: `A${randomBytes(8).toString("hex")}`
  }
})

/** How a failed status names the same thing. */
export const statusError = ({ code, message, details }: Refusal) => ({
  code,
  title: message,
  message,
  error_data: { details: details ?? message },
  href: "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/"
})

/** Answers with the refusal. */
export const refuse = (response: ServerResponse, given: Refusal) =>
  sendJson(
    response,
    given.status,
    errorBody(given),
    given.retryAfter === undefined ? {} : { "retry-after": String(given.retryAfter) }
  )
