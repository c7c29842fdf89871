/** What a conversation, or several, are given by choosing from a list: whom to assign, which label, until when to snooze. */
import { AlarmClock, Tag } from "lucide-react"
import { useState } from "react"
import { usePeople } from "../../api/people.ts"
import { useSession } from "../../api/session.tsx"
import { Avatar } from "../../components/Avatar.tsx"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Input } from "../../components/Field.tsx"
import { Picker } from "../../components/Picker.tsx"
import { timeZone, weekdayClock } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { clockOn, daysToMonday, momentOf, wallTime } from "../../lib/zone.ts"

interface Closing {
  readonly onClose: () => void
}

/** `nobody`: whether there is somebody who can be taken away. */
export const AssignPicker = ({
  nobody,
  onChoose,
  onClose
}: Closing & { readonly nobody: boolean; readonly onChoose: (id: string | null) => void }) => {
  const me = useSession().user.id
  const people = usePeople()
  return (
    <Picker
      title={t("Assign")}
      placeholder={t("Name of a person or an AI agent")}
      onClose={onClose}
      choices={[
        ...people
          .toSorted((a, b) => Number(b.id === me) - Number(a.id === me))
          .map((one) => ({
            id: one.id,
            label: one.id === me ? t("{name} (you)", { name: one.name }) : one.name,
            detail: one.who === "ai" ? t("AI agent: answers by itself") : undefined,
            sign: <Avatar name={one.name} who={one.who} size="s" />,
            run: () => onChoose(one.id)
          })),
        ...(nobody ? [{ id: "none", label: t("Nobody"), run: () => onChoose(null) }] : [])
      ]}
    />
  )
}

/** `labels`: those it has. `known`: those that others have. */
export const LabelPicker = ({
  labels,
  known,
  onChoose,
  onClose
}: Closing & {
  readonly labels: ReadonlyArray<string>
  readonly known: ReadonlyArray<string>
  readonly onChoose: (label: string) => void
}) => (
  <Picker
    title={t("Label")}
    placeholder={t("A label, or a new one")}
    onClose={onClose}
    choices={[
      ...labels.map((one) => ({
        id: one,
        label: one,
        icon: Tag,
        detail: t("Take it away"),
        run: () => onChoose(one)
      })),
      ...known
        .filter((one) => !labels.includes(one))
        .map((one) => ({ id: one, label: one, icon: Tag, run: () => onChoose(one) }))
    ]}
    fallback={(text) =>
      labels.includes(text) || known.includes(text)
        ? undefined
        : {
            id: "new",
            label: t("Add “{label}”", { label: text }),
            icon: Tag,
            run: () => onChoose(text.slice(0, 64))
          }
    }
  />
)

const hourMs = 3_600_000
const morning = 9

const iso = (at: number) => new Date(at).toISOString()

/** A time of one's own, on the organization's clocks. */
const OwnTime = ({ onChoose, onClose }: Closing & { readonly onChoose: (until: string) => void }) => {
  const zone = timeZone()
  const [wall, setWall] = useState(() => wallTime(zone, clockOn(zone, Date.now(), 1, morning)))
  const at = momentOf(zone, wall)
  const ahead = at - Date.now()
  const problem = Number.isNaN(at)
    ? undefined
    : ahead <= 0
      ? t("It must be in the future.")
      : ahead > 365 * 24 * hourMs
        ? t("It must be within a year.")
        : undefined
  return (
    <Dialog title={t("Snooze until")} onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (Number.isNaN(at) || problem !== undefined) return
          onClose()
          onChoose(iso(at))
        }}
      >
        <Input
          label={t("Date and time")}
          hint={zone}
          type="datetime-local"
          autoFocus
          required
          value={wall}
          problem={problem}
          onChange={(event) => setWall(event.target.value)}
        />
        <Button
          tone="primary"
          type="submit"
          icon={AlarmClock}
          disabled={Number.isNaN(at) || problem !== undefined}
          className="self-end"
        >
          {t("Snooze")}
        </Button>
      </form>
    </Dialog>
  )
}

/** `awake`: whether it is not snoozed, so that there is nothing to end. */
export const SnoozePicker = ({
  awake,
  onChoose,
  onClose
}: Closing & { readonly awake: boolean; readonly onChoose: (until: string | null) => void }) => {
  const [own, setOwn] = useState(false)
  const zone = timeZone()
  const now = Date.now()
  const times: ReadonlyArray<readonly [string, string, number]> = [
    ["hour", t("In an hour"), now + hourMs],
    ["hours", t("In three hours"), now + 3 * hourMs],
    ["tomorrow", t("Tomorrow morning"), clockOn(zone, now, 1, morning)],
    ["monday", t("On Monday morning"), clockOn(zone, now, daysToMonday(zone, now), morning)],
    ["week", t("In a week"), clockOn(zone, now, 7, morning)]
  ]
  if (own) return <OwnTime onChoose={onChoose} onClose={onClose} />
  return (
    <Picker
      title={t("Snooze until")}
      placeholder={t("Until when? It comes back earlier when the contact writes")}
      onClose={(chosen) => {
        if (chosen?.id !== "own") onClose()
      }}
      choices={[
        ...(awake ? [] : [{ id: "wake", label: t("Wake it now"), icon: AlarmClock, run: () => onChoose(null) }]),
        ...times.map(([id, label, at]) => ({
          id,
          label,
          detail: weekdayClock(iso(at)),
          icon: AlarmClock,
          run: () => onChoose(iso(at))
        })),
        { id: "own", label: t("Another time…"), icon: AlarmClock, run: () => setOwn(true) }
      ]}
    />
  )
}
