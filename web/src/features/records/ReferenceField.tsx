/** Contacts or records that another record belongs to: chips of the chosen, and a list to choose more from. */
import { useQueries, useQuery } from "@tanstack/react-query"
import { Plus, X } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button } from "../../components/Button.tsx"
import { Picker } from "../../components/Picker.tsx"
import { t } from "../../lib/i18n.ts"
import { contactName } from "../../lib/words.ts"
import { nameOf, type Referred } from "./modules.ts"
import { operationsOf } from "./useRecords.ts"

interface Named {
  readonly id: string
  readonly name: string
}

const search = async (of: Referred, text: string, signal: AbortSignal): Promise<ReadonlyArray<Named>> => {
  const query = { limit: 20, ...(text.trim() === "" ? {} : { search: text.trim() }) }
  if (of === "contacts") {
    const { data } = await parley.contacts.list(query, { signal })
    return data.map((contact) => ({ id: contact.id, name: contactName(contact) }))
  }
  const { data } = await operationsOf(of).list(query, { signal })
  return data.map((record) => ({ id: record.id, name: nameOf(record) }))
}

const nameById = async (of: Referred, id: string, signal: AbortSignal): Promise<string> =>
  of === "contacts"
    ? contactName(await parley.contacts.get(id, { signal }))
    : nameOf(await operationsOf(of).get(id, { signal }))

/** So many are shown by name; the others are counted. */
const mostShown = 20

export const ReferenceField = ({
  label,
  of,
  ids,
  several,
  onChange
}: {
  readonly label: string
  readonly of: Referred
  readonly ids: ReadonlyArray<string>
  readonly several: boolean
  readonly onChange: (ids: ReadonlyArray<string>) => void
}) => {
  const [choosing, setChoosing] = useState(false)
  const [typed, setTyped] = useState("")
  const shown = ids.slice(0, mostShown)
  const names = useQueries({
    queries: shown.map((id) => ({
      queryKey: [...keys.record(of, id), "name"],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => nameById(of, id, signal)
    }))
  })
  const found = useQuery({
    queryKey: [...keys.allRecords(of), "choices", typed],
    enabled: choosing,
    queryFn: ({ signal }) => search(of, typed, signal),
    placeholderData: (before) => before
  })
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="text-small font-medium text-ink-2">{label}</legend>
      <div className="flex flex-wrap items-center gap-1.5">
        {shown.map((id, at) => {
          const name = names[at]?.data ?? "…"
          return (
            <span
              key={id}
              className="inline-flex max-w-full items-center gap-1 rounded-[10px] bg-sunken ps-2 text-small"
            >
              <bdi className="truncate">{name}</bdi>
              <Button
                small
                tone="quiet"
                icon={X}
                label={t("Remove {name}", { name })}
                onClick={() => onChange(ids.filter((one) => one !== id))}
              />
            </span>
          )
        })}
        {ids.length > mostShown && (
          <span className="text-small text-ink-3">{t("and {n} more", { n: ids.length - mostShown })}</span>
        )}
        <Button small icon={Plus} onClick={() => setChoosing(true)}>
          {several || ids.length === 0 ? t("Choose") : t("Choose another")}
        </Button>
      </div>
      {choosing && (
        <Picker
          title={label}
          placeholder={t("Search")}
          busy={found.isFetching}
          onType={setTyped}
          onClose={() => {
            setChoosing(false)
            setTyped("")
          }}
          choices={(found.data ?? [])
            .filter(({ id }) => !ids.includes(id))
            .map(({ id, name }) => ({
              id,
              label: name,
              words: typed,
              run: () => onChange(several ? [...ids, id] : [id])
            }))}
        />
      )}
    </fieldset>
  )
}
