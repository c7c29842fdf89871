/**
 * Merges a contact of ours with its counterpart in an integration, field by field, from three states: ours, theirs, and what both sides had last. Pure.
 * A field that only one side has changed gets that side's value; where both have, the newer change wins, and the loser is named.
 */
import { type ContactFields, sharedFields } from "../ContactFields.ts"

type Field = (typeof sharedFields)[number]

export interface Sides {
  readonly ours: ContactFields
  /** Fields that the integration does not tell are absent. */
  readonly theirs: Partial<ContactFields>
  /** What both had last; null: they were not linked yet. */
  readonly base: Partial<ContactFields> | null
  /** When each side changed, Unix milliseconds. */
  readonly ourTime: number
  readonly theirTime: number
}

export interface Merged {
  /** What to change here. */
  readonly changes: Partial<ContactFields>
  /** What they have, as far as they told: the next base. Where ours differs from it, it is still to be sent there. */
  readonly base: Partial<ContactFields>
  /** Fields that both have changed, and whose change was not taken. */
  readonly lost: ReadonlyArray<{ readonly field: Field; readonly by: "us" | "them" }>
}

const isEmpty = (value: ContactFields[Field] | undefined) => value == null || value.length === 0

/** The order of tags means nothing. */
const same = (one: ContactFields[Field] | undefined, other: ContactFields[Field] | undefined): boolean => {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && [...one].sort().join("\n") === [...other].sort().join("\n")
  return one === other || (isEmpty(one) && isEmpty(other))
}

export const mergeContact = ({ ours, theirs, base, ourTime, theirTime }: Sides): Merged => {
  const changes: Record<string, unknown> = {}
  const lost: Array<Merged["lost"][number]> = []
  for (const field of sharedFields) {
    const [our, their, last] = [ours[field], theirs[field], base?.[field]]
    if (!Object.hasOwn(theirs, field) || same(our, their)) continue
    const linked = base !== null && Object.hasOwn(base, field)
    const theyChanged = linked ? !same(their, last) : !isEmpty(their)
    const weChanged = linked ? !same(our, last) : !isEmpty(our)
    if (theyChanged && (!weChanged || theirTime > ourTime)) changes[field] = their
    if (theyChanged && weChanged) lost.push({ field, by: theirTime > ourTime ? "us" : "them" })
  }
  return { changes, base: { ...base, ...theirs }, lost }
}
