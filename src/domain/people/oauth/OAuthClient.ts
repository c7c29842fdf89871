/**
 * The programs that connect to the MCP server for a person. Some register themselves (RFC 7591). Others publish a document about themselves: their id is
 * its address (OAuth Client ID Metadata Document).
 */
import { Context, Data, type Effect } from "effect"

export interface OAuthClient {
  readonly id: string
  /** What the client calls itself. */
  readonly name: string
  readonly redirectUris: ReadonlyArray<string>
  /** SHA-256 of its secret; null for a public client, which proves itself by PKCE alone. */
  readonly secretHash: string | null
}

export interface NewOAuthClient extends Omit<OAuthClient, "id" | "secretHash"> {
  readonly confidential: boolean
}

/** Clients that registered themselves. One that nobody has used within a day is removed; at most `mostUnusedClients` wait to be used. */
export class OAuthClients extends Context.Service<
  OAuthClients,
  {
    /** `secret` is shown only this once; undefined for a public client. */
    readonly register: (
      client: NewOAuthClient
    ) => Effect.Effect<{ readonly id: string; readonly secret: string | undefined }>
    readonly find: (id: string) => Effect.Effect<OAuthClient | undefined>
    /** Whether this is the client's secret. */
    readonly isSecret: (client: OAuthClient, secret: string) => boolean
    /** Somebody allowed the client something: it is kept for longer. */
    readonly used: (id: string) => Effect.Effect<void>
  }
>()("parley/domain/OAuthClients") {}

export const mostUnusedClients = 10_000

/** The document could not be fetched, or does not describe this client; `message` is a sentence. */
export class ClientDocumentRefused extends Data.TaggedError("ClientDocumentRefused")<{ readonly message: string }> {}

/** Fetches the document of a client from the address that is its id. */
export class ClientDocuments extends Context.Service<
  ClientDocuments,
  {
    /** Why documents of this address are not fetched, as a clause; undefined when they are. Names are checked when they are resolved. */
    readonly refusal: (address: URL) => string | undefined
    /** The JSON of the document. */
    readonly fetch: (id: string) => Effect.Effect<unknown, ClientDocumentRefused>
  }
>()("parley/domain/ClientDocuments") {}

/** Whether a client's id is the address of its document. */
export const isDocumentAddress = (id: string): boolean => /^https?:\/\//.test(id)
