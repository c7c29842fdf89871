/** The access token of an external MCP server that was authorized by OAuth, renewed once, whoever asks. */
import { Clock, Effect } from "effect"
import { endsSoon, makeRenewOnce } from "../../basics/tokens/RenewOnce.ts"
import { type McpGrant, McpGrants, type McpTokens } from "./McpGrant.ts"
import { McpOAuth, McpOAuthRefused } from "./McpOAuth.ts"

const lost = new McpOAuthRefused({
  message: "The authorization has ended. A person must authorize the server again.",
  final: true
})

/** Needs McpGrants, McpOAuth and Exclusive once; the function it gives needs nothing. */
export const makeMcpAccess = Effect.gen(function* () {
  const grants = yield* McpGrants
  const oauth = yield* McpOAuth

  const renewed = yield* makeRenewOnce<McpGrant, McpTokens, McpOAuthRefused>({
    organizationId: ({ organizationId }) => organizationId,
    id: ({ serverId }) => serverId,
    version: ({ version }) => version,
    failedAt: ({ renewalFailedAt }) => renewalFailedAt,
    find: ({ organizationId, serverId }) => grants.find(organizationId, serverId),
    replace: grants.replace,
    gone: new McpOAuthRefused({ message: "The authorization was removed.", final: false }),
    again: new McpOAuthRefused({ message: "The access could not be renewed a moment ago.", final: false })
  })

  const renew = (grant: McpGrant, began: number) =>
    Effect.tapError(oauth.renew(grant.tokens, began), ({ final }) =>
      final ? grants.lose(grant) : Effect.flatMap(Clock.currentTimeMillis, (now) => grants.renewalFailed(grant, now))
    ).pipe(Effect.mapError((failure) => (failure.final ? lost : failure)))

  /** The grant with a token that can be used. `refused`: the server has just refused the one that it has. */
  return Effect.fnUntraced(function* (grant: McpGrant, refused = false) {
    if (grant.status === "lost") return yield* lost
    const { expiresAt, refreshToken } = grant.tokens
    if (!refused && !endsSoon(expiresAt ?? undefined, yield* Clock.currentTimeMillis)) return grant
    if (refreshToken === null) {
      if (!refused) return grant
      yield* grants.lose(grant)
      return yield* lost
    }
    return yield* renewed(grant, renew)
  })
})
