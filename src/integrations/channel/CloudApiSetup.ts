/** Sets up a connection at the Cloud API: checks the credentials, and subscribes the app to the account's webhooks. */
import { Effect, Layer, Schema } from "effect"
import { traced } from "../../domain/basics/Traced.ts"
import {
  type ChannelCredentials,
  ChannelSetup,
  ChannelUnreachable,
  CredentialsRefused
} from "../../domain/messaging/channel/ChannelConnection.ts"
import { appSecretProof } from "../../domain/messaging/channel/cloudapi/Signature.ts"
import { maybe } from "../web/Maybe.ts"
import { CloudApi, type CloudApiError, read } from "./CloudApiClient.ts"
import { pageOf, readAll } from "./CloudApiPages.ts"

const PhoneNumber = Schema.Struct({
  id: Schema.String,
  display_phone_number: maybe(Schema.String),
  verified_name: maybe(Schema.String)
})
const readPhoneNumber = read(PhoneNumber)
const readIdentified = pageOf(Schema.Struct({ id: Schema.String }))

/** The error for the caller; it names the wrong field when the refusal's code tells which. */
const told = (error: CloudApiError) => {
  if (error._tag !== "ChannelRefused") return new ChannelUnreachable({ message: error.reason })
  if (error.code === "190" || error.code === "0")
    return new CredentialsRefused({ message: "The channel does not accept accessToken." })
  return new CredentialsRefused({ message: error.reason })
}

const refused = (message: string) => new CredentialsRefused({ message })

const make = Effect.gen(function* () {
  const api = yield* CloudApi
  const { ask } = api

  /** With the proof, the channel also checks whether the secret belongs to the token's app. */
  const number = (credentials: ChannelCredentials) =>
    ask(credentials.accessToken, {
      method: "GET",
      path: `/${credentials.phoneNumberId}`,
      query: {
        fields: "display_phone_number,verified_name",
        appsecret_proof: appSecretProof(credentials.appSecret, credentials.accessToken)
      }
    }).pipe(
      Effect.flatMap(readPhoneNumber),
      Effect.mapError((error) => {
        if (error._tag !== "ChannelRefused" || error.code !== "100") return told(error)
        return /appsecret_proof/.test(error.reason)
          ? refused("appSecret is not the secret of the app that accessToken belongs to.")
          : refused("The channel has no number phoneNumberId that accessToken may use.")
      })
    )

  const belongs = Effect.fnUntraced(function* (credentials: ChannelCredentials) {
    const { phoneNumberId, businessAccountId } = credentials
    const isIt = ({ id }: { readonly id: string }) => id === phoneNumberId
    const numbers = yield* readAll(api, credentials.accessToken, {
      path: `/${businessAccountId}/phone_numbers`,
      fields: "id",
      readPage: readIdentified,
      // A business account has a handful of numbers.
      mostPages: 50,
      until: isIt
    }).pipe(
      Effect.mapError((error) =>
        error._tag === "ChannelRefused" && error.code === "100"
          ? refused("The channel has no business account businessAccountId that accessToken may use.")
          : told(error)
      )
    )
    if (!numbers.some(isIt))
      return yield* refused("The number phoneNumberId does not belong to the business account businessAccountId.")
  })

  const subscription = (method: "POST" | "DELETE") => (credentials: ChannelCredentials) =>
    ask(credentials.accessToken, { method, path: `/${credentials.businessAccountId}/subscribed_apps` }).pipe(
      Effect.mapError(told),
      Effect.asVoid
    )

  return ChannelSetup.of({
    check: traced("CloudApiSetup.check")(function* (credentials) {
      const { display_phone_number, verified_name } = yield* number(credentials)
      yield* belongs(credentials)
      return { phoneNumber: display_phone_number ?? null, businessName: verified_name ?? null }
    }),
    subscribe: traced("CloudApiSetup.subscribe")(subscription("POST")),
    unsubscribe: traced("CloudApiSetup.unsubscribe")(subscription("DELETE"))
  })
})

/** `ChannelSetup` over HTTP. */
export const layer = Layer.effect(ChannelSetup, make)
