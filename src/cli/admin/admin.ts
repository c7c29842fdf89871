/** `parley admin …`: what an operator sets up by hand. It uses only the domain's ports. `--json` prints one object for scripts. */
import { Layer, Logger } from "effect"
import { Command } from "effect/cli"
import { Acting } from "../../domain/people/access/Audit.ts"
import { createApiKey, createUser, revokeApiKey, setPassword } from "./access.ts"
import { setDisclosure } from "./disclosure.ts"
import { businessHours } from "./hours.ts"
import { freeHuman, humans } from "./humans.ts"
import { rotateKeys } from "./keys.ts"
import { connectMessaging, messagingInbox } from "./messaging.ts"
import { numbers } from "./numbers.ts"
import { operators } from "./operators.ts"
import { createOrganization, setFlag, setPlan, showOrganization } from "./organization.ts"
import { resyncAgents } from "./resync.ts"
import { retention, setRetention } from "./retention.ts"
import { sandbox } from "./sandbox.ts"
import { sip } from "./sip.ts"
import { sla } from "./sla.ts"
import { assignNumber, connectTelephony } from "./telephony.ts"
import { setAiTokens, setVoiceTerms, voiceUsage } from "./usage.ts"

/** Logs go to standard error; standard output has only the answer. */
const logging = Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])

/** The actor that the audit log names for these commands. */
const operator = Layer.succeed(Acting, { actor: { type: "operator", id: null }, ip: null, requestId: null })

export const admin = Command.make("admin").pipe(
  Command.withDescription("Create organizations, people and keys; connect telephony accounts and numbers"),
  Command.withSubcommands([
    createOrganization,
    showOrganization,
    createUser,
    setPassword,
    createApiKey,
    revokeApiKey,
    connectTelephony,
    connectMessaging,
    messagingInbox,
    assignNumber,
    numbers,
    sip,
    setPlan,
    setFlag,
    setDisclosure,
    businessHours,
    sla,
    humans,
    freeHuman,
    setVoiceTerms,
    setAiTokens,
    voiceUsage,
    setRetention,
    retention,
    resyncAgents,
    operators,
    rotateKeys,
    sandbox
  ]),
  Command.provide(Layer.merge(logging, operator))
)
