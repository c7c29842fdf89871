/** The store of phone numbers, which also writes each added, released or assigned number to the audit log. */
import { Effect } from "effect"
import { Audit } from "../../people/access/Audit.ts"
import { PhoneNumbers, type StoredNumber } from "./PhoneNumber.ts"

const shown = ({ phoneNumber, origin }: Pick<StoredNumber, "phoneNumber" | "origin">) => ({ phoneNumber, origin })

/** Needs PhoneNumbers and Audit. */
export const makeRecordedNumbers = Effect.gen(function* () {
  const numbers = yield* PhoneNumbers
  const audit = yield* Audit

  /** A number whose purchase is not confirmed gets its audit entry later, from `activate`. */
  const add: (typeof numbers)["add"] = (organizationId, number) =>
    number.state === "pending"
      ? numbers.add(organizationId, number)
      : audit.recorded(organizationId, numbers.add(organizationId, number), ({ id }) => ({
          action: "phone_number.added",
          subjectId: id,
          after: shown(number)
        }))

  const activate: (typeof numbers)["activate"] = (organizationId, id, provided) =>
    Effect.flatMap(numbers.find(organizationId, id), (number) =>
      audit.recorded(organizationId, numbers.activate(organizationId, id, provided), () => ({
        action: "phone_number.added",
        subjectId: id,
        ...(number === undefined ? {} : { after: shown(number) })
      }))
    )

  const setAgent: (typeof numbers)["setAgent"] = (organizationId, id, agentId) =>
    Effect.gen(function* () {
      const before = yield* numbers.find(organizationId, id)
      const set = Effect.filterOrFail(
        numbers.setAgent(organizationId, id, agentId),
        (found) => found,
        () => "no such agent" as const
      )
      const entry = {
        action: "phone_number.assigned",
        subjectId: id,
        before: { agentId: before?.agentId ?? null },
        after: { agentId }
      }
      // An assignment that was not made gets no audit entry.
      return yield* audit.recorded(organizationId, set, () => entry).pipe(Effect.catch(() => Effect.succeed(false)))
    })

  /** Removes the number from the organization. */
  const release = (organizationId: string, number: StoredNumber) =>
    audit.recorded(organizationId, numbers.remove(organizationId, number.id), () => ({
      action: "phone_number.released",
      subjectId: number.id,
      before: shown(number)
    }))

  return { ...numbers, add, activate, setAgent, release }
})
