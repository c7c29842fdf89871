/**
 * The `parley admin` commands for humans that calls are transferred to. They show who is busy and which callers wait, and free a human whose call
 * ended without a report of the provider.
 */
import { Clock, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Transfers } from "../../domain/voice/calls/records/Transfer.ts"
import { AdminError, answer, existing, json, organization } from "./shared.ts"

const linesOf = Effect.fnUntraced(function* (organizationId: string) {
  const transfers = yield* Transfers
  return yield* transfers.lines(organizationId, yield* Clock.currentTimeMillis)
})

export const humans = Command.make(
  "humans",
  { organization, json },
  Effect.fnUntraced(function* ({ organization, json }) {
    const { id } = yield* existing(organization)
    const lines = yield* linesOf(id)
    if (json) return yield* answer(json, { humans: lines })
    if (lines.length === 0) return yield* answer(json, { humans: "All are free, and nobody waits." })
    const told = lines.map(({ destination, dialing, waiting }) => {
      const state = dialing === null ? "free" : `busy with ${dialing.callId} since ${dialing.since}`
      return [destination, `${state}, ${waiting.length} waiting`] as const
    })
    yield* answer(json, Object.fromEntries(told))
  })
).pipe(Command.withDescription("Show which humans are busy, and who waits for them"))

export const freeHuman = Command.make(
  "free-human",
  {
    organization,
    destination: Flag.String("destination").pipe(Flag.withDescription("Number or sip: address of the human")),
    json
  },
  Effect.fnUntraced(function* ({ organization, destination, json }) {
    const { id } = yield* existing(organization)
    const transfers = yield* Transfers
    const dialing = (yield* linesOf(id)).find((line) => line.destination === destination)?.dialing
    const busy = dialing == null ? undefined : yield* transfers.latestOf(id, dialing.callId)
    if (busy === undefined) return yield* new AdminError({ message: `${destination} is not busy.` })
    yield* transfers.end(id, busy.id, "failed", yield* Clock.currentTimeMillis)
    yield* answer(json, { organizationId: id, destination, callId: busy.callId })
  })
).pipe(Command.withDescription("Free a human whose call has ended unnoticed; the next caller is put through"))
