/** The `parley admin` commands for an organization's account at the telephony provider, and for the agent that answers a number. */
import { Effect, Redacted } from "effect"
import { Command, Flag, Prompt } from "effect/cli"
import { toE164 } from "../../domain/basics/Phone.ts"
import { Audit } from "../../domain/people/access/Audit.ts"
import { VoiceAgents } from "../../domain/voice/agents/VoiceAgent.ts"
import { PhoneNumbers, TelephonyConnections } from "../../domain/voice/telephony/PhoneNumber.ts"
import { AdminError, answer, existing, json, organization } from "./shared.ts"

export const connectTelephony = Command.make(
  "connect-telephony",
  {
    organization,
    accountSid: Flag.String("account-sid").pipe(Flag.withDescription("The provider's account id (AC…)")),
    authToken: Flag.Redacted("auth-token").pipe(
      Flag.withDescription("The account's auth token, stored encrypted; asked for when absent"),
      Flag.withFallbackPrompt(Prompt.Password({ message: "Auth token" }))
    ),
    json
  },
  Effect.fnUntraced(function* ({ organization, accountSid, authToken, json }) {
    const { id: organizationId } = yield* existing(organization)
    const connections = yield* TelephonyConnections
    const holder = yield* connections.findByAccount(accountSid)
    if (holder !== undefined && holder.organizationId !== organizationId)
      return yield* new AdminError({ message: `The account ${accountSid} belongs to another organization.` })
    const before = yield* connections.find(organizationId)
    const audit = yield* Audit
    const saved = connections.save({ organizationId, accountSid, authToken: Redacted.value(authToken) })
    // Without the token, which is a secret.
    yield* audit.recorded(organizationId, saved, () => ({
      action: "telephony.connected",
      subjectId: accountSid,
      ...(before === undefined ? {} : { before: { accountSid: before.accountSid } }),
      after: { accountSid }
    }))
    yield* answer(json, { organizationId, accountSid })
  })
).pipe(Command.withDescription("Connect an organization to its account at the telephony provider"))

export const assignNumber = Command.make(
  "assign-number",
  {
    organization,
    agent: Flag.String("agent").pipe(Flag.withDescription("Id of the voice agent (agt_…)")),
    phone: Flag.String("phone").pipe(Flag.withDescription("Number with country code, e.g. +14155550123")),
    json
  },
  Effect.fnUntraced(function* ({ organization, agent, phone, json }) {
    const { id: organizationId } = yield* existing(organization)
    const number = toE164(phone)
    if (number === undefined)
      return yield* new AdminError({ message: `${phone} is not a phone number with a country code (+14155550123).` })
    const agents = yield* VoiceAgents
    if ((yield* agents.find(organizationId, agent)) === undefined)
      return yield* new AdminError({ message: `The organization has no voice agent ${agent}.` })
    const numbers = yield* PhoneNumbers
    const before = yield* numbers.agentOf(organizationId, number)
    const audit = yield* Audit
    // After `assign` the number exists, in the same transaction.
    const given = numbers.findByPhone(organizationId, number).pipe(Effect.flatMap(Effect.fromNullishOr), Effect.orDie)
    const assigned = Effect.andThen(numbers.assign(organizationId, number, agent), given)
    yield* audit
      .recorded(organizationId, assigned, ({ id }) => ({
        action: "phone_number.assigned",
        subjectId: id,
        before: { agentId: before ?? null },
        after: { agentId: agent }
      }))
      .pipe(
        Effect.catchTag(
          "DuplicateNumber",
          () => new AdminError({ message: `${number} belongs to another organization.` })
        )
      )
    yield* answer(json, { organizationId, agentId: agent, phone: number })
  })
).pipe(Command.withDescription("Let a voice agent answer a number"))
