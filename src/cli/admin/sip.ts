/** `parley admin sip …`: the SIP credentials of an organization. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { makeManageSipCredentials } from "../../domain/voice/telephony/ManageSipCredentials.ts"
import { answer, existing, explained, json, organization } from "./shared.ts"

const show = Command.make(
  "show",
  { organization, json },
  Effect.fnUntraced(function* ({ organization, json }) {
    const { id } = yield* existing(organization)
    const { get } = yield* makeManageSipCredentials
    yield* answer(json, { ...(yield* explained(get(id))) })
  })
).pipe(Command.withDescription("Show the credentials; made, with their password, when there are none"))

const regenerate = Command.make(
  "regenerate",
  { organization, json },
  Effect.fnUntraced(function* ({ organization, json }) {
    const { id } = yield* existing(organization)
    const { regenerate } = yield* makeManageSipCredentials
    yield* answer(json, { ...(yield* explained(regenerate(id))) })
  })
).pipe(Command.withDescription("Make a new password and show it this once; the old one stops working"))

const revoke = Command.make(
  "revoke",
  { organization, json },
  Effect.fnUntraced(function* ({ organization, json }) {
    const { id } = yield* existing(organization)
    const { revoke } = yield* makeManageSipCredentials
    yield* explained(revoke(id))
    yield* answer(json, { organizationId: id, revoked: true })
  })
).pipe(Command.withDescription("Take the credentials away"))

export const sip = Command.make("sip").pipe(
  Command.withDescription("SIP credentials for an organization's own carrier"),
  Command.withSubcommands([show, regenerate, revoke])
)
