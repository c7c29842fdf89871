/** Our identity at Google: the key of a service account, and the access tokens that Google gives for it. */
import { readFileSync } from "node:fs"
import { Effect, Schema } from "effect"
import { gaxios, JWT } from "google-auth-library"

const scope = "https://www.googleapis.com/auth/firebase.messaging"

/** The library asks here, whatever the key says. The signed claim names this address too. */
const libraryTokenUrl = "https://oauth2.googleapis.com/token"

const Key = Schema.Struct({
  project_id: Schema.NonEmptyString,
  client_email: Schema.NonEmptyString,
  private_key: Schema.String.check(Schema.isIncluding("PRIVATE KEY")),
  private_key_id: Schema.optionalKey(Schema.String),
  token_uri: Schema.optionalKey(Schema.String)
})
export type ServiceAccountKey = typeof Key.Type
const decodeKey = Schema.decodeUnknownSync(Schema.fromJsonString(Key))

/** Takes the key as JSON, or the path of its file. Throws an error with a sentence for users when the text is neither. */
export const parseServiceAccount = (text: string): ServiceAccountKey => {
  try {
    return decodeKey(text.trimStart().startsWith("{") ? text : readFileSync(text, "utf8"))
  } catch (cause) {
    throw new Error("FCM_SERVICE_ACCOUNT is not the key of a service account (JSON, or the path of its file).", {
      cause
    })
  }
}

export interface AccessTokens {
  /** A token that is good now. It is kept until shortly before it expires, and concurrent callers share one request. Fails without an answer. */
  readonly current: Effect.Effect<string, Error>
  /** Drops a token that was refused: the next one is new. */
  readonly renew: Effect.Effect<void>
}

/** `tokenUrl` replaces the key's own `token_uri`. */
export const makeAccessTokens = (key: ServiceAccountKey, tokenUrl?: string): AccessTokens => {
  const url = new URL(tokenUrl ?? key.token_uri ?? libraryTokenUrl)
  const transporter = new gaxios.Gaxios({ timeout: 10_000 })
  transporter.interceptors.request.add({
    resolved: async (config) => (config.url.toString() === libraryTokenUrl ? { ...config, url } : config)
  })
  const client = new JWT({
    email: key.client_email,
    key: key.private_key,
    ...(key.private_key_id === undefined ? {} : { keyId: key.private_key_id }),
    scopes: [scope],
    transporter
  })
  return {
    current: Effect.tryPromise({
      try: async () => {
        const { token } = await client.getAccessToken()
        if (typeof token !== "string" || token === "") throw new Error("Google gave no access token")
        return token
      },
      catch: (cause) => (cause instanceof Error ? cause : new Error(String(cause)))
    }),
    // The library itself begins with these values: a token that expired long ago.
    renew: Effect.sync(() => client.setCredentials({ refresh_token: "jwt-placeholder", expiry_date: 1 }))
  }
}
