/** A change of the conversation between what was said: who assigned, resolved, reopened or labeled it. */
import type { ConversationChange } from "@parley/client"
import type { Person } from "../../api/people.ts"
import { clock, moment } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { textOf } from "../../lib/record.ts"

const labelsOf = (side: ConversationChange["after"]): ReadonlyArray<string> => {
  const labels = side?.labels
  return Array.isArray(labels) ? labels.filter((one) => typeof one === "string") : []
}

/** The change in a sentence; `undefined` when there is nothing to say of it. */
const sentence = (
  { action, before, after }: ConversationChange,
  who: string,
  nameOf: (id: string) => Person
): string | undefined => {
  if (action === "conversation.labeled") {
    const [had, has] = [labelsOf(before), labelsOf(after)]
    const added = has.filter((one) => !had.includes(one)).join(", ")
    const gone = had.filter((one) => !has.includes(one)).join(", ")
    if (added !== "" && gone !== "") return t("{who} replaced {gone} by {added}", { who, gone, added })
    if (added !== "") return t("{who} added {labels}", { who, labels: added })
    return gone === "" ? undefined : t("{who} took {labels} away", { who, labels: gone })
  }
  const status = textOf(after?.status)
  if (status === "RESOLVED") return t("{who} resolved it", { who })
  const assignee = textOf(after?.assignee)
  if (assignee !== undefined && assignee !== textOf(before?.assignee))
    return t("{who} assigned it to {name}", { who, name: nameOf(assignee).name })
  if (textOf(before?.status) === "RESOLVED") return t("{who} reopened it", { who })
  return status === "OPEN" ? t("{who} left it to nobody", { who }) : undefined
}

export const ChangeLine = ({
  change,
  at,
  me,
  nameOf
}: {
  readonly change: ConversationChange
  readonly at: string
  readonly me: string
  readonly nameOf: (id: string) => Person
}) => {
  const { id } = change.actor
  const who = id === null ? t("Parley") : id === me ? t("You") : nameOf(id).name
  const text = sentence(change, who, nameOf)
  if (text === undefined) return null
  return (
    <p className="text-center text-label text-ink-3">
      <bdi>{text}</bdi> ·{" "}
      <time className="num" dateTime={at} title={moment(at)}>
        {clock(at)}
      </time>
    </p>
  )
}
