/** The sentence for whoever saves a record that somebody else has saved since it was read. */
import { Effect } from "effect"
import type { Actor } from "./Audit.ts"
import { Users } from "./User.ts"

interface LastSave {
  readonly savedAt: string
  readonly savedBy: Actor
}

/** Needs Users once. `what`: the record, e.g. "voice agent"; `last`: its newest version, undefined when that is not known. */
export const makeSavedMeanwhile = Effect.map(Users, (users) =>
  Effect.fnUntraced(function* (organizationId: string, what: string, last: LastSave | undefined) {
    const by = last?.savedBy
    const person = by?.type === "user" && by.id !== null ? yield* users.find(organizationId, by.id) : undefined
    const who = person?.name ?? (by?.type === "key" ? "An API key" : "Somebody")
    const when = last === undefined ? "meanwhile" : `at ${last.savedAt}`
    return `${who} saved this ${what} ${when}. Read it again before you save yours.`
  })
)
