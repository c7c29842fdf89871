/** The `parley admin` commands for organizations, their plans and flags. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { isTimeZone } from "../../domain/basics/Calendar.ts"
import { newId } from "../../domain/basics/Ids.ts"
import { OperatedOrganizations } from "../../domain/operators/OperatedOrganization.ts"
import { Audit } from "../../domain/people/access/Audit.ts"
import { makeManageOrganization } from "../../domain/people/organizations/ManageOrganization.ts"
import { Organizations, Plan, retentionOf } from "../../domain/people/organizations/Organization.ts"
import { parseDisclosure } from "./disclosure.ts"
import { AdminError, answer, existing, json, organization } from "./shared.ts"
import { shownTerms } from "./usage.ts"

/** The organization with its flags as they were set, whatever the gates of the installation say. */
const existingAsSet = Effect.fnUntraced(function* (organizationId: string) {
  const operated = yield* OperatedOrganizations
  const { id } = yield* existing(organizationId)
  return (yield* operated.find(id)) ?? (yield* new AdminError({ message: `There is no organization ${id}.` }))
})

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
    const audit = yield* Audit
    const id = newId("org")
    const create = organizations.create({
      id,
      name,
      plan,
      timeZone,
      ...(Option.isSome(voiceAgents) ? { flags: { voiceAgents: voiceAgents.value } } : {}),
      ...(Option.isSome(disclosure) ? { disclosureText: yield* parseDisclosure(disclosure.value) } : {})
    })
    const created = yield* audit.recorded(id, create, ({ flags, disclosureText }) => ({
      action: "organization.created",
      subjectId: id,
      after: { name, plan, flags, timeZone, disclosureText }
    }))
    yield* answer(json, { id, name, plan, flags: created.flags, timeZone })
  })
).pipe(Command.withDescription("Create an organization"))

export const showOrganization = Command.make(
  "show-organization",
  { organization, json },
  Effect.fnUntraced(function* ({ organization, json }) {
    const found = yield* existingAsSet(organization)
    const { id, name, plan, flags, timeZone, disclosureText, createdAt } = found
    const inForce = { ...shownTerms(found), retention: retentionOf(found) }
    yield* answer(json, { id, name, plan, flags, timeZone, disclosureText, ...inForce, createdAt })
  })
).pipe(Command.withDescription("Show an organization with its plan, flags, disclosure and the terms in force"))

export const setPlan = Command.make(
  "set-plan",
  {
    organization,
    plan: Flag.Literals("plan", Plan.literals).pipe(Flag.withDescription("What the organization may use from now on")),
    voiceAgents: Flag.Boolean("voice-agents").pipe(
      Flag.withDescription("Switch voice agents on or off (default: on for PREMIUM; as they are when the plan stays)"),
      Flag.optional
    ),
    json
  },
  Effect.fnUntraced(function* ({ organization, plan, voiceAgents, json }) {
    const found = yield* existingAsSet(organization)
    const { setPlan } = yield* makeManageOrganization
    yield* answer(json, { id: found.id, ...(yield* setPlan(found, plan, Option.getOrUndefined(voiceAgents))) })
  })
).pipe(Command.withDescription("Move an organization to another plan"))

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
    const found = yield* existingAsSet(organization)
    const { setFlag } = yield* makeManageOrganization
    yield* answer(json, { id: found.id, ...(yield* setFlag(found, flag, on)) })
  })
).pipe(Command.withDescription("Switch a feature of an organization on or off"))
