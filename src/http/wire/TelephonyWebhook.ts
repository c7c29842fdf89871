/**
 * Authenticates webhooks of the telephony provider. Their form is signed with the auth token of the account that it names, so the form is read before
 * the signature can be checked. Until then the work is bounded: by the route's limit of the body, `mostFields`, and `SignatureFailures`.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { storable } from "../../domain/basics/PlainText.ts"
import { TelephonyConnections } from "../../domain/voice/telephony/PhoneNumber.ts"
import { type FormFields, verifyTwilioSignature } from "../../domain/voice/telephony/twilio/TwilioSignature.ts"
import { BadRequest, Forbidden } from "./Errors.ts"
import { OwnAddress } from "./OwnAddress.ts"
import { makeSignatureFailures } from "./SignatureFailures.ts"

/** The token for checking webhooks of unknown accounts, so that clients cannot distinguish an unknown account from a bad signature. */
const dummyToken = "00000000000000000000000000000000"

/** The most fields of a form. The provider sends about 40. */
const mostFields = 100

/** Nothing else is searched for. */
const accountForm = /^\w{1,64}$/

/** The base64 of an HMAC-SHA1. */
const signatureForm = /^[A-Za-z0-9+/]{27}=$/

/** The fields of a form, in one pass; `undefined` when it has too many. */
export const formFields = (text: string): FormFields | undefined => {
  let separators = 0
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", at + 1))
    if (++separators >= mostFields) return undefined
  const fields: Record<string, string | Array<string>> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields[name]
    if (before === undefined) fields[name] = value
    else if (typeof before === "string") fields[name] = [before, value]
    else before.push(value)
  }
  return fields
}

/**
 * Makes the function that checks a webhook. That function gives a reader of the form's fields ("" for a missing one) and the connection of the
 * account; it fails with 403 when the signature is not valid, and with 429 when an address has sent too many such. Needs OwnAddress and
 * TelephonyConnections.
 */
export const makeTelephonyWebhook = Effect.gen(function* () {
  const { publicBaseUrl } = yield* OwnAddress
  const connections = yield* TelephonyConnections
  const failures = yield* makeSignatureFailures("refused a telephony webhook")
  const forbidden = new Forbidden({ error: "The signature of this webhook is not valid." })

  return Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? ""))
      return yield* new BadRequest({ error: "The Content-Type must be application/x-www-form-urlencoded." })
    const admission = yield* failures.admit(request)
    const signature = request.headers["x-twilio-signature"] ?? ""
    if (!signatureForm.test(signature)) {
      yield* failures.failed(request, { reason: signature === "" ? "no signature" : "a malformed signature" })
      return yield* forbidden
    }
    const fields = formFields(yield* Effect.orDie(request.text))
    if (fields === undefined) {
      yield* failures.failed(request, { reason: "too many fields" })
      return yield* new BadRequest({ error: `The form has more than ${mostFields} fields.` })
    }
    const field = (name: string) => (typeof fields[name] === "string" ? storable(fields[name]) : "")
    const accountSid = field("AccountSid")
    const searched = accountForm.test(accountSid) && (admission === "any" || failures.knows(accountSid))
    const connection = searched ? yield* connections.findByAccount(accountSid) : undefined
    const url = `${publicBaseUrl}${request.originalUrl}`
    const good = verifyTwilioSignature(connection?.authToken ?? dummyToken, signature, url, fields)
    if (connection === undefined || !good) {
      yield* failures.failed(request, { reason: "a wrong signature", accountSid: accountSid.slice(0, 40) })
      return yield* forbidden
    }
    yield* failures.good(request, [accountSid])
    return { connection, field }
  })
})
