/** Who we are at Google: the key of a service account, and the access tokens it gets. */
import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { gaxios, JWT } from "google-auth-library"
import { z } from "zod"

const scope = "https://www.googleapis.com/auth/firebase.messaging"

/** Where the library asks, whatever the key says; it is also what the signed claim names. */
const libraryTokenUrl = "https://oauth2.googleapis.com/token"

const Key = z.object({
  project_id: z.string().min(1),
  client_email: z.string().min(1),
  private_key: z.string().includes("PRIVATE KEY"),
  private_key_id: z.string().optional(),
  token_uri: z.string().optional()
})
export type ServiceAccountKey = z.infer<typeof Key>

/** The key as JSON, or the path of its file. Throws a sentence when it is neither. */
export const parseServiceAccount = (text: string): ServiceAccountKey => {
  try {
    return Key.parse(JSON.parse(text.trimStart().startsWith("{") ? text : readFileSync(text, "utf8")))
  } catch (cause) {
    throw new Error("FCM_SERVICE_ACCOUNT is not the key of a service account (JSON, or the path of its file).", {
      cause
    })
  }
}

export interface AccessTokens {
  /** A token that is good now: kept until shortly before its end, asked for once however many want it. Rejects without an answer. */
  readonly current: Effect.Effect<string, Error>
  /** The current one was refused: the next is a new one. */
  readonly renew: Effect.Effect<void>
}

/** `tokenUrl`: where tokens are had instead of the key's own `token_uri`. */
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
    // What the library itself begins with: a token that ended long ago.
    renew: Effect.sync(() => client.setCredentials({ refresh_token: "jwt-placeholder", expiry_date: 1 }))
  }
}
