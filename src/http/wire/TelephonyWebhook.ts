/** Authenticates webhooks of the telephony provider. Their form is signed with the auth token of the account that it names. */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { storable } from "../../domain/basics/PlainText.ts"
import { TelephonyConnections } from "../../domain/voice/telephony/PhoneNumber.ts"
import { type FormFields, verifyTwilioSignature } from "../../domain/voice/telephony/twilio/TwilioSignature.ts"
import { BadRequest, Forbidden } from "./Errors.ts"
import { OwnAddress } from "./OwnAddress.ts"

/** The token for checking webhooks of unknown accounts, so that clients cannot distinguish an unknown account from a bad signature. */
const dummyToken = "00000000000000000000000000000000"

const formFields = (text: string): FormFields => {
  const params = new URLSearchParams(text)
  const fields: Record<string, string | ReadonlyArray<string>> = Object.create(null)
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name)
    fields[name] = values.length === 1 ? values[0] : values
  }
  return fields
}

/**
 * Makes the function that checks a webhook. That function gives a reader of the form's fields ("" for a missing one) and the connection of the
 * account; it fails with 403 when the signature is not valid. Needs OwnAddress and TelephonyConnections.
 */
export const makeTelephonyWebhook = Effect.gen(function* () {
  const { publicBaseUrl } = yield* OwnAddress
  const connections = yield* TelephonyConnections

  return Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? ""))
      return yield* new BadRequest({ error: "The Content-Type must be application/x-www-form-urlencoded." })
    const fields = formFields(yield* Effect.orDie(request.text))
    const field = (name: string) => (typeof fields[name] === "string" ? storable(fields[name]) : "")
    const connection = yield* connections.findByAccount(field("AccountSid"))
    const signature = request.headers["x-twilio-signature"]
    const url = `${publicBaseUrl}${request.originalUrl}`
    const good = verifyTwilioSignature(connection?.authToken ?? dummyToken, signature, url, fields)
    if (connection === undefined || !good) {
      yield* Effect.logWarning("refused a telephony webhook", { accountSid: field("AccountSid").slice(0, 40) })
      return yield* new Forbidden({ error: "The signature of this webhook is not valid." })
    }
    return { connection, field }
  })
})
