/** Gives the demo's organization a number at the simulated messaging channel. */
import { Effect } from "effect"
import type { World } from "../../../simulators/World.ts"
import { type Access, ask, DemoFailed } from "./support/rest.ts"

const verifyToken = "demo-verify-token"

/** Connects the organization's number, as its administrator does. The channel then checks the address of our webhook. */
export const connectNumber = Effect.fnUntraced(function* ({
  channel,
  ...access
}: Access & { readonly channel: World["channel"] }) {
  const { phoneNumberId, accountId: businessAccountId, accessToken, appSecret } = channel.accounts.addNumber()
  const credentials = { phoneNumberId, businessAccountId, accessToken, appSecret, verifyToken }
  yield* ask(access, "PUT", "/api/messaging-connection", credentials)
  yield* Effect.tryPromise({
    try: () => channel.webhooks.configure(appSecret, { url: `${access.baseUrl}/api/webhooks/messaging`, verifyToken }),
    catch: (cause) => new DemoFailed({ message: String(cause) })
  })
  return phoneNumberId
})
