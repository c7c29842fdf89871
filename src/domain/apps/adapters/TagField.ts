/**
 * Tags in both directions, where the mapping gives ours to a field of the CRM that holds texts with semicolons between them, as a multi-select field does. We
 * add and remove there what was added and removed here since both were the same, so what people tag there stays; that comes back with the records that changed.
 */
import { Effect } from "effect"
import type { AppFailure, AppLink, AppSession } from "../AppAdapter.ts"
import type { AppSettings } from "../AppConnection.ts"
import { mappingOf } from "../FieldMapping.ts"

/** The field for tags; undefined: tags are not synced. */
export const tagFieldOf = ({ mapping }: AppSettings): string | undefined => mappingOf(mapping, {}).tags

/** The tags in the text of a field. */
export const tagsIn = (text: string | null | undefined): ReadonlyArray<string> =>
  [...new Set((text ?? "").split(";").map((tag) => tag.trim()))].filter((tag) => tag !== "")

const without = (tags: ReadonlyArray<string>, others: ReadonlyArray<string>) =>
  tags.filter((tag) => !others.includes(tag))

/** What `theirs` becomes when what changed here from `before` to `ours` is changed there, too. */
export const mergeTags = (
  theirs: ReadonlyArray<string>,
  before: ReadonlyArray<string>,
  ours: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const kept = without(theirs, without(before, ours))
  return [...kept, ...without(without(ours, before), kept)]
}

/** The tags that both had last; none for another record. */
const tagsBefore = (known: AppLink | undefined, remoteId = known?.remoteId): ReadonlyArray<string> =>
  known?.remoteId === remoteId ? (known?.fields?.tags ?? []) : []

const differ = (one: ReadonlyArray<string>, other: ReadonlyArray<string>) =>
  without(one, other).length > 0 || without(other, one).length > 0

/** The link without its hash when tags have changed: then the record is written, and found anew if it is gone, before its tags are. */
export const linkForTags = (
  { settings }: AppSession,
  known: AppLink | undefined,
  tags: ReadonlyArray<string>
): AppLink | undefined =>
  known === undefined || tagFieldOf(settings) === undefined || !differ(tags, tagsBefore(known))
    ? known
    : { ...known, hash: null }

export interface TagSteps {
  /** The text of the field. */
  readonly read: (session: AppSession, id: string, field: string) => Effect.Effect<string | null, AppFailure>
  readonly write: (session: AppSession, id: string, field: string, text: string) => Effect.Effect<unknown, AppFailure>
}

/** Changes the field of a record, if tags changed here; gives the link with the tags that we have. Without a field for tags it gives the link as it is. */
export const makeSyncTags = ({ read, write }: TagSteps) =>
  Effect.fnUntraced(function* (
    session: AppSession,
    link: AppLink,
    known: AppLink | undefined,
    tags: ReadonlyArray<string>
  ) {
    const field = tagFieldOf(session.settings)
    if (field === undefined) return link
    const before = tagsBefore(known, link.remoteId)
    if (differ(tags, before)) {
      const theirs = tagsIn(yield* read(session, link.remoteId, field))
      const merged = mergeTags(theirs, before, tags)
      if (differ(merged, theirs)) yield* write(session, link.remoteId, field, merged.join(";"))
    }
    return { ...link, fields: { ...known?.fields, tags } } satisfies AppLink
  })
