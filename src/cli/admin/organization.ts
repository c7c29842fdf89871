/** Organizations and their flags. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { Organizations, Plan } from "../../domain/Organization.ts"
import { AdminError, answer, existing, json, organization } from "./shared.ts"

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== ""
  } catch {
    return false
  }
}

export const createOrganization = Command.make(
  "create-organization",
  {
    name: Flag.String("name").pipe(Flag.withDescription("Name of the organization")),
    plan: Flag.Literals("plan", Plan.literals).pipe(Flag.withDescription("What the organization may use")),
    timeZone: Flag.String("time-zone").pipe(
      Flag.withDescription("IANA name, e.g. Asia/Kolkata"),
      Flag.withDefault("UTC")
    ),
    voiceAgents: Flag.Boolean("voice-agents").pipe(
      Flag.withDescription("Switch voice agents on or off (default: on for PREMIUM)"),
      Flag.optional
    ),
    disclosure: Flag.String("disclosure").pipe(Flag.withDescription("What every call begins with"), Flag.optional),
    json
  },
  Effect.fnUntraced(function* ({ name, plan, timeZone, voiceAgents, disclosure, json }) {
    if (!isTimeZone(timeZone)) return yield* new AdminError({ message: `${timeZone} is not a time zone (IANA name).` })
    const organizations = yield* Organizations
    const created = yield* organizations.create({
      name,
      plan,
      timeZone,
      ...(Option.isSome(voiceAgents) ? { flags: { voiceAgents: voiceAgents.value } } : {}),
      ...(Option.isSome(disclosure) ? { disclosureText: disclosure.value } : {})
    })
    yield* answer(json, { id: created.id, name, plan, flags: created.flags, timeZone })
  })
).pipe(Command.withDescription("Create an organization"))

export const setFlag = Command.make(
  "set-flag",
  {
    organization,
    flag: Flag.Literals("flag", ["voiceAgents", "voicePremium"]).pipe(Flag.withDescription("Which flag")),
    on: Flag.Boolean("on").pipe(Flag.withDescription("Switch it on"), Flag.withDefault(false)),
    off: Flag.Boolean("off").pipe(Flag.withDescription("Switch it off"), Flag.withDefault(false)),
    json
  },
  Effect.fnUntraced(function* ({ organization, flag, on, off, json }) {
    if (on === off) return yield* new AdminError({ message: "Say either --on or --off." })
    const organizations = yield* Organizations
    const { id, flags } = yield* existing(organization)
    yield* organizations.setFlags(id, { [flag]: on })
    yield* answer(json, { id, flags: { ...flags, [flag]: on } })
  })
).pipe(Command.withDescription("Switch a feature of an organization on or off"))
