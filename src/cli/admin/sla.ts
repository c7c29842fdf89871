/** The `parley admin` command for an organization's SLA: the time until the first response and until resolution. */
import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { makeManageOrganization } from "../../domain/people/organizations/ManageOrganization.ts"
import { SlaPolicy } from "../../domain/people/organizations/SlaPolicy.ts"
import { AdminError, answer, existing, json, organization } from "./shared.ts"

const minutes = (name: string, what: string) => Flag.Int(name).pipe(Flag.withDescription(what), Flag.optional)

export const sla = Command.make(
  "sla",
  {
    organization,
    firstResponse: minutes("first-response", "Minutes until the first answer; without it there is no limit"),
    resolution: minutes("resolution", "Minutes until the conversation is resolved; without it there is no limit"),
    businessHours: Flag.Boolean("business-hours").pipe(
      Flag.withDescription("Count only time within the business hours"),
      Flag.withDefault(false)
    ),
    off: Flag.Boolean("off").pipe(Flag.withDescription("No due times"), Flag.withDefault(false)),
    json
  },
  Effect.fnUntraced(function* ({ organization, firstResponse, resolution, businessHours, off, json }) {
    const { setSlaPolicy } = yield* makeManageOrganization
    const found = yield* existing(organization)
    const given = Option.isSome(firstResponse) || Option.isSome(resolution)
    if (off && given) return yield* new AdminError({ message: "Say either --off or the minutes." })
    if (businessHours && !given)
      return yield* new AdminError({ message: "Say --first-response or --resolution as well." })
    if (!off && !given) return yield* answer(json, { organizationId: found.id, slaPolicy: found.slaPolicy })
    const wanted = {
      firstResponseMinutes: Option.getOrNull(firstResponse),
      resolutionMinutes: Option.getOrNull(resolution),
      businessHoursOnly: businessHours
    }
    const slaPolicy = off
      ? null
      : yield* Schema.decodeUnknownEffect(SlaPolicy)(wanted).pipe(
          Effect.mapError((error) => new AdminError({ message: error.message.split("\n")[0] }))
        )
    yield* answer(json, { organizationId: found.id, ...(yield* setSlaPolicy(found, slaPolicy)) })
  })
).pipe(Command.withDescription("Show by when conversations are to be answered and resolved, or set it"))
