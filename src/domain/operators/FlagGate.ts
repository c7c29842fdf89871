/**
 * The gate of a flag: how many organizations in a hundred may use a flag that they have, in each stage. What is new reaches organizations in staging
 * first and then more and more in production; closed gates take it from all of them at once, and their own flags stay. An organization has a fixed place
 * for each flag, so a gate that opens further keeps those that it has let through.
 */
import { Context, type Effect, Schema } from "effect"
import type { FlagName } from "../people/organizations/ManageOrganization.ts"

/** Where an organization belongs: the few that get changes first, or everybody else. */
export const Stage = Schema.Literals(["staging", "production"])
export type Stage = typeof Stage.Type

export const flagNames = ["voiceAgents", "voicePremium"] as const satisfies ReadonlyArray<FlagName>

export const GatePercent = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })).annotate({ examples: [25] })

/** Organizations of a stage: how many there are, have the flag, and may use it. */
const Reach = Schema.Struct({ organizations: Schema.Int, having: Schema.Int, inForce: Schema.Int })

export const FlagGate = Schema.Struct({
  flag: Schema.Literals(flagNames),
  staging: GatePercent,
  production: GatePercent,
  /** Null: never changed, open for all. */
  updatedAt: Schema.NullOr(Schema.String),
  reach: Schema.Struct({ staging: Reach, production: Reach })
}).annotate({
  title: "FlagGate",
  examples: [
    {
      flag: "voicePremium",
      staging: 100,
      production: 25,
      updatedAt: "2026-11-22T10:00:00.000Z",
      reach: {
        staging: { organizations: 3, having: 2, inForce: 2 },
        production: { organizations: 240, having: 80, inForce: 19 }
      }
    }
  ]
})
export type FlagGate = typeof FlagGate.Type

export class FlagGates extends Context.Service<
  FlagGates,
  {
    readonly list: Effect.Effect<ReadonlyArray<FlagGate>>
    /** It applies from the next request and the next call on. */
    readonly set: (flag: FlagName, percent: Readonly<Record<Stage, number>>, now: number) => Effect.Effect<void>
  }
>()("parley/domain/FlagGates") {}
