/** A messaging channel for the benches: the simulator, and a number of its own for an organization. */
import { Effect, Option } from "effect"
import { start } from "../../simulators/channel/CloudApi.ts"
import { ChannelAccounts } from "../../src/domain/messaging/channel/ChannelConnection.ts"

/** Lives as long as the scope. `messaging` is the setting for a service that is to use it. */
export const startChannel = Effect.gen(function* () {
  const channel = yield* Effect.acquireRelease(
    Effect.promise(() => start()),
    ({ close }) => Effect.promise(() => close())
  )
  const connect = Effect.fnUntraced(function* (organizationId: string) {
    const { phoneNumberId, accountId: businessAccountId, accessToken, appSecret } = channel.accounts.addNumber()
    yield* (yield* ChannelAccounts).save(organizationId, {
      ...{ phoneNumberId, businessAccountId, accessToken, appSecret, verifyToken: `bench-${phoneNumberId}` },
      ...{ phoneNumber: null, businessName: null }
    })
  })
  return { messaging: { baseUrl: Option.some(channel.url), version: "v23.0" }, connect }
})
