/** What can be done with several conversations at once. */
import type { Conversation } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { AlarmClock, Check, MailOpen, Tag, UserRound, X } from "lucide-react"
import { useState } from "react"
import { keys } from "../../api/keys.ts"
import { useNamer } from "../../api/people.ts"
import { Button } from "../../components/Button.tsx"
import { weekdayClock } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { AssignPicker, LabelPicker, SnoozePicker } from "./Pickers.tsx"
import { clearSelection, useSelection } from "./selection.ts"
import { useMake } from "./useMake.ts"

const mostLabels = 20

export const BulkBar = ({ labels }: { readonly labels: ReadonlyArray<string> }) => {
  const selection = useSelection()
  const client = useQueryClient()
  const nameOf = useNamer()
  const made = useMake()
  const [picking, setPicking] = useState<"assignee" | "label" | "snooze">()
  if (selection.size === 0) return null
  const count = selection.size
  const chosen = () => [...selection].flatMap((id) => client.getQueryData<Conversation>(keys.conversation(id)) ?? [])
  const act = (run: (all: ReadonlyArray<Conversation>) => void) => {
    run(chosen())
    clearSelection()
  }
  const close = () => setPicking(undefined)
  return (
    <section
      aria-label={t("Selected conversations")}
      className="flex flex-wrap items-center gap-1.5 border-t border-line bg-raised px-3 py-2 shadow-high"
    >
      <span role="status" className="num font-medium">
        {t("{count, plural, one {# selected} other {# selected}}", { count })}
      </span>
      <Button small tone="quiet" icon={X} label={t("Clear the selection")} onClick={clearSelection} />
      <span className="flex-1" />
      <Button small icon={UserRound} label={t("Assign")} onClick={() => setPicking("assignee")} />
      <Button small icon={Tag} label={t("Label")} onClick={() => setPicking("label")} />
      <Button small icon={AlarmClock} label={t("Snooze")} onClick={() => setPicking("snooze")} />
      <Button small icon={MailOpen} label={t("Mark as read")} onClick={() => act((all) => made.read(all, true))} />
      <Button small icon={Check} tone="primary" onClick={() => act(made.resolve)}>
        {t("Resolve")}
      </Button>
      {picking === "assignee" && (
        <AssignPicker
          nobody
          onClose={close}
          onChoose={(to) =>
            act((all) =>
              made.assign(
                all,
                to,
                to === null
                  ? t("{count, plural, one {# is nobody's now.} other {# are nobody's now.}}", { count })
                  : t("{count, plural, one {# assigned to {name}.} other {# assigned to {name}.}}", {
                      count,
                      name: nameOf(to).name
                    })
              )
            )
          }
        />
      )}
      {picking === "label" && (
        <LabelPicker
          labels={[]}
          known={labels}
          onClose={close}
          onChoose={(label) =>
            act((all) =>
              made.label(
                all.filter((one) => !one.labels.includes(label) && one.labels.length < mostLabels),
                (one) => [...one.labels, label],
                t("Label {label} added.", { label })
              )
            )
          }
        />
      )}
      {picking === "snooze" && (
        <SnoozePicker
          awake={false}
          onClose={close}
          onChoose={(until) =>
            act((all) =>
              made.snooze(
                all,
                until,
                until === null ? t("Awake again.") : t("Snoozed until {time}.", { time: weekdayClock(until) })
              )
            )
          }
        />
      )}
    </section>
  )
}
