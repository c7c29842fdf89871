/** A token endpoint of OAuth 2 (RFC 6749) that takes the client's credentials in the form. */
import { Effect, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { AppFailure, type AppSession } from "../AppAdapter.ts"
import { tokensOf } from "../AppTokens.ts"
import { isOk, statusFailure } from "../StatusFailure.ts"

export interface AppClient {
  readonly id: string
  readonly secret: string
}

const Given = Schema.Struct({
  access_token: Schema.optionalKey(Schema.String),
  refresh_token: Schema.optionalKey(Schema.String),
  expires_in: Schema.optionalKey(Schema.Number),
  instance_url: Schema.optionalKey(Schema.String),
  api_domain: Schema.optionalKey(Schema.String),
  error: Schema.optionalKey(Schema.String),
  error_description: Schema.optionalKey(Schema.String)
})
export type GivenTokens = typeof Given.Type
const readGiven = Schema.decodeUnknownOption(Schema.fromJsonString(Given))

/** The wait when a provider has had too many requests for tokens. */
const busyMs = 5 * 60_000

export interface TokenEndpoint {
  /** Begins the sentences: "HubSpot". */
  readonly who: string
  /** The errors that say that the authorization is over; `invalid_grant` by default. */
  readonly lost?: ReadonlyArray<string>
  /** The errors that pass by themselves. */
  readonly busy?: ReadonlyArray<string>
  /** What is stored beside the tokens, from the answer; a sentence when it cannot be used. */
  readonly beside?: (given: GivenTokens) => Readonly<Record<string, string>> | string
}

/** Posts the fields to the endpoint at `url`; gives the credentials `before` with the new tokens. Some providers tell errors with the status 200. */
export const makeTokenEndpoint = ({ who, lost = ["invalid_grant"], busy = [], beside = () => ({}) }: TokenEndpoint) =>
  Effect.fnUntraced(function* (
    ask: AppSession["ask"],
    url: string,
    client: AppClient,
    fields: Readonly<Record<string, string>>,
    before: Readonly<Record<string, string>>,
    now: number
  ) {
    const form = new URLSearchParams({ ...fields, client_id: client.id, client_secret: client.secret })
    const answer = yield* ask(
      HttpClientRequest.post(url).pipe(
        HttpClientRequest.acceptJson,
        HttpClientRequest.bodyText(form.toString(), "application/x-www-form-urlencoded")
      )
    )
    const read = readGiven(answer.text)
    const given = read._tag === "Some" ? read.value : {}
    const { access_token: accessToken, error, error_description: description } = given
    if (error !== undefined && lost.includes(error))
      return yield* new AppFailure({
        action: "reconnect",
        message: `${who} does not take our authorization any more.`,
        final: true
      })
    if (error !== undefined && busy.includes(error))
      return yield* new AppFailure({
        action: "wait",
        message: `${who} asks us to renew our access later.`,
        retryAfterMs: busyMs
      })
    const said = [error, description].flatMap((part) => part?.slice(0, 200) ?? []).join(": ")
    if (!isOk(answer)) {
      const failure = statusFailure(who, answer, now, said)
      // A refused client is no reason to give up what waits.
      return yield* failure.action === "give_up"
        ? new AppFailure({ action: "reconnect", message: failure.message })
        : failure
    }
    if (error !== undefined)
      return yield* new AppFailure({ action: "reconnect", message: `${who} does not authorize us. ${said}` })
    if (accessToken === undefined)
      return yield* new AppFailure({ action: "retry", message: `${who}'s answer could not be read.` })
    const kept = beside(given)
    if (typeof kept === "string") return yield* new AppFailure({ action: "reconnect", message: kept })
    const tokens = { accessToken, refreshToken: given.refresh_token, lifetimeSeconds: given.expires_in }
    return tokensOf({ ...before, ...kept }, tokens, now)
  })
