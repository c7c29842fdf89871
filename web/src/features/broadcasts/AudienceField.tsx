/** Who gets a broadcast: everybody who wants messages, or those with some tags. */
import { useQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Segmented } from "../../components/Segmented.tsx"
import { t } from "../../lib/i18n.ts"

export type Audience = { readonly kind: "all" } | { readonly kind: "tags"; readonly tags: ReadonlyArray<string> }

export const AudienceField = ({
  value,
  onChange
}: {
  readonly value: Audience
  readonly onChange: (audience: Audience) => void
}) => {
  const { data } = useQuery({
    queryKey: keys.contactTags,
    queryFn: ({ signal }) => parley.contacts.tags({ signal }).then(({ data }) => data.map(({ tag }) => tag))
  })
  const chosen = value.kind === "tags" ? value.tags : []
  const toggle = (tag: string) =>
    onChange({ kind: "tags", tags: chosen.includes(tag) ? chosen.filter((one) => one !== tag) : [...chosen, tag] })
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-small font-medium text-ink-2">{t("To whom")}</legend>
      <div>
        <Segmented
          label={t("To whom")}
          value={value.kind}
          options={[
            { value: "tags", label: t("Contacts with a tag") },
            { value: "all", label: t("Everybody who wants messages") }
          ]}
          onChange={(kind) => onChange(kind === "all" ? { kind } : { kind, tags: [] })}
        />
      </div>
      {value.kind === "tags" && (
        <div className="scroll-thin flex max-h-40 flex-wrap gap-1.5 overflow-y-auto">
          {data?.map((tag) => (
            <label
              key={tag}
              className="flex min-h-6 items-center gap-1.5 rounded-[12px] border border-line px-2.5 has-checked:border-transparent has-checked:bg-accent-soft has-checked:text-accent pointer-coarse:min-h-10"
            >
              <input
                type="checkbox"
                className="size-3.5 accent-accent"
                checked={chosen.includes(tag)}
                onChange={() => toggle(tag)}
              />
              <bdi>{tag}</bdi>
            </label>
          ))}
          {data?.length === 0 && <p className="text-ink-3">{t("No contact has a tag yet.")}</p>}
        </div>
      )}
    </fieldset>
  )
}
