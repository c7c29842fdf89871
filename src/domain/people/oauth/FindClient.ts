/** Use case: find the client that an id names, among those that registered themselves or by the document at its address. */
import { Effect } from "effect"
import { traced } from "../../basics/Traced.ts"
import { clientMetadata } from "./ClientMetadata.ts"
import { ClientDocuments, isDocumentAddress, type OAuthClient, OAuthClients } from "./OAuthClient.ts"
import { OAuthRefused } from "./OAuthRefused.ts"

const refused = (description: string) => new OAuthRefused({ code: "invalid_client", description })

const unknown = refused("There is no client with this client_id. It may have expired unused: register again.")

const longestAddress = 1_000

/** Why this cannot be the address of a client's document, as a clause. A text that a parser would change could name two clients. */
const addressProblem = (id: string, refusal: (address: URL) => string | undefined): string | undefined => {
  const url = URL.parse(id)
  if (url === null || id.length > longestAddress || url.href !== id) return "is not an address in its canonical form"
  if (url.username !== "" || url.password !== "" || id.includes("#")) return "has a user name or a fragment"
  return url.pathname === "/" ? "has no path" : refusal(url)
}

/** What a document says, when it is that of this client. */
const described = (id: string, json: unknown): OAuthClient | OAuthRefused => {
  const own: unknown = typeof json === "object" && json !== null && "client_id" in json ? json.client_id : undefined
  if (own !== id) return refused("The document at the client_id does not name this client_id, letter by letter.")
  const metadata = clientMetadata(json)
  if (metadata instanceof OAuthRefused)
    return refused(`The document at the client_id is not valid: ${metadata.description}`)
  if (metadata.authMethod !== undefined && metadata.authMethod !== "none")
    return refused("A client with a document is public here: its token_endpoint_auth_method must be none.")
  return { id, name: metadata.name, redirectUris: metadata.redirectUris, secretHash: null }
}

/** Needs OAuthClients and ClientDocuments. */
export const makeFindClient = Effect.gen(function* () {
  const clients = yield* OAuthClients
  const documents = yield* ClientDocuments

  return traced("FindClient")(function* (id: string) {
    if (!isDocumentAddress(id)) return (yield* clients.find(id)) ?? (yield* unknown)
    const problem = addressProblem(id, documents.refusal)
    if (problem !== undefined) return yield* refused(`The client_id ${problem}.`)
    const json = yield* documents
      .fetch(id)
      .pipe(Effect.catchTag("ClientDocumentRefused", ({ message }) => refused(message)))
    const client = described(id, json)
    return client instanceof OAuthRefused ? yield* client : client
  })
})
