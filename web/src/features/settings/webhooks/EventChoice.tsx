/** Which events an endpoint is told: all, or those of some kinds. Single types that a program has chosen stay as they are. */
import { Checkbox } from "../../../components/Checkbox.tsx"
import { Chip } from "../../../components/Chip.tsx"
import { Segmented } from "../../../components/Segmented.tsx"
import { t } from "../../../lib/i18n.ts"
import { kinds, type Pattern } from "./words.ts"

const entries = Object.entries(kinds) as ReadonlyArray<readonly [keyof typeof kinds, string]>

export const EventChoice = ({
  events,
  onChange
}: {
  /** Undefined: all. */
  readonly events: ReadonlyArray<Pattern> | undefined
  readonly onChange: (events: ReadonlyArray<Pattern> | undefined) => void
}) => {
  const single = events?.filter((event) => !event.endsWith(".*")) ?? []
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-small font-medium text-ink-2">{t("Which events")}</legend>
      <Segmented
        label={t("Which events")}
        value={events === undefined ? "all" : "some"}
        options={[
          { value: "all", label: t("All events") },
          { value: "some", label: t("Only some") }
        ]}
        onChange={(value) => onChange(value === "all" ? undefined : [])}
      />
      {events !== undefined && (
        <div className="grid gap-x-4 md:grid-cols-2">
          {entries.map(([kind, name]) => (
            <Checkbox
              key={kind}
              label={t(name)}
              checked={events.includes(`${kind}.*`)}
              onChange={(on) =>
                onChange(on ? [...events, `${kind}.*`] : events.filter((event) => event !== `${kind}.*`))
              }
            />
          ))}
        </div>
      )}
      {single.length > 0 && (
        <p className="flex flex-wrap gap-1">
          {single.map((event) => (
            <Chip key={event}>{event}</Chip>
          ))}
        </p>
      )}
    </fieldset>
  )
}
