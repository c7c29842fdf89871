/** Tells an organization, once a month, that its voice minutes are used and that further ones are charged. */
import { Context, type Effect } from "effect"

export class VoiceAllowances extends Context.Service<
  VoiceAllowances,
  {
    /** Records the event when the minutes of this month are used and nobody was told yet. `now`: Unix milliseconds. */
    readonly tell: (organizationId: string, now: number) => Effect.Effect<void>
  }
>()("parley/domain/VoiceAllowances") {}
