/** `parley admin sandbox`: an organization to try the interface with, on a service without provider keys. */
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { environment } from "../../config/Environment.ts"
import { ChannelAccounts } from "../../domain/messaging/channel/ChannelConnection.ts"
import { Scope } from "../../domain/people/access/Access.ts"
import { ApiKeys } from "../../domain/people/access/ApiKey.ts"
import { Organizations } from "../../domain/people/organizations/Organization.ts"
import { AdminError, json } from "./shared.ts"

/** The organization that has the number of the simulated channel; a new one when nobody has it. */
const sandboxOrganization = Effect.gen(function* () {
  const { simulatorNumber } = yield* Effect.promise(() => import("../demo/simulated.ts"))
  const { phoneNumberId, accountId: businessAccountId, accessToken, appSecret } = simulatorNumber
  const accounts = yield* ChannelAccounts
  const [known] = yield* accounts.receivers({ phoneNumberIds: [phoneNumberId], businessAccountIds: [] })
  if (known !== undefined) return known.organizationId
  const { id } = yield* (yield* Organizations).create({ name: "Sandbox", plan: "PREMIUM", timeZone: "UTC" })
  yield* accounts.save(id, {
    ...{ phoneNumberId, businessAccountId, accessToken, appSecret, verifyToken: accessToken },
    ...{ phoneNumber: "+1 555-078-3881", businessName: "Maple Books" }
  })
  return id
})

export const sandbox = Command.make(
  "sandbox",
  { json },
  Effect.fnUntraced(function* ({ json }) {
    if ((yield* environment) === "production")
      return yield* new AdminError({ message: "There is no sandbox in production: its channel is simulated." })
    const organizationId = yield* sandboxOrganization
    const { secret } = yield* (yield* ApiKeys).create({ organizationId, name: "sandbox", scopes: Scope.literals })
    yield* Console.log(json ? JSON.stringify({ organizationId, key: secret }) : `export PARLEY_API_KEY=${secret}`)
  })
).pipe(
  Command.withDescription(
    "Make an organization that is connected to the simulated channel, and print a key as a shell command"
  )
)
