/** `parley admin …`: what an operator sets up by hand. Knows the domain's ports only; `--json` prints one object for scripts. */
import { Command } from "effect/cli"
import { createApiKey, createUser } from "./admin/access.ts"
import { createOrganization, setFlag } from "./admin/organization.ts"
import { assignNumber, connectTelephony } from "./admin/telephony.ts"

export const admin = Command.make("admin").pipe(
  Command.withDescription("Create organizations, people and keys; connect telephony accounts and numbers"),
  Command.withSubcommands([createOrganization, createUser, createApiKey, connectTelephony, assignNumber, setFlag])
)
