/** Adds a number: one that is for sale, or one that is there already. */
import type { AvailableNumber, PhoneNumber } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Search } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Input, Select } from "../../components/Field.tsx"
import { Segmented } from "../../components/Segmented.tsx"
import { Problem } from "../../components/States.tsx"
import { phone } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { sentenceOf } from "../../lib/sentence.ts"
import { say } from "../../lib/toasts.ts"
import { useAgentList } from "../agents/useAgents.ts"
import { dialable } from "../dialer/dialable.ts"

interface Wanted {
  readonly country: string
  readonly type: "local" | "mobile" | "toll_free"
  readonly contains: string
}

const useAdd = (onClose: () => void) => {
  const client = useQueryClient()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState<string>()
  const add = async (phoneNumber: string, origin: PhoneNumber["origin"], agentId: string) => {
    setBusy(phoneNumber)
    setProblem(undefined)
    try {
      await parley.phoneNumbers.add(
        { phoneNumber, origin, ...(agentId === "" ? {} : { agentId }) },
        // A purchase goes on at the provider for some seconds.
        { timeoutMs: 60_000 }
      )
      void client.invalidateQueries({ queryKey: keys.allVoiceAgents })
      await client.invalidateQueries({ queryKey: keys.numbers })
      onClose()
      say(t("{number} is yours.", { number: phone(phoneNumber) }))
    } catch (cause) {
      setProblem(sentenceOf(cause))
      // A purchase without an answer is in the list, as pending.
      void client.invalidateQueries({ queryKey: keys.numbers })
    } finally {
      setBusy(undefined)
    }
  }
  return { add, problem, busy }
}

const Found = ({
  numbers,
  busy,
  onBuy
}: {
  readonly numbers: ReadonlyArray<AvailableNumber>
  readonly busy: string | undefined
  readonly onBuy: (number: string) => void
}) => (
  <ul className="flex max-h-72 flex-col overflow-y-auto rounded-lg border border-line">
    {numbers.map(({ phoneNumber, locality, region, addressRequired }) => (
      <li
        key={phoneNumber}
        className="flex flex-wrap items-center gap-2 px-3 py-2 not-last:border-b not-last:border-line"
      >
        <span className="min-w-0 flex-1">
          <b className="num block font-semibold">{phone(phoneNumber)}</b>
          <span className="text-small text-ink-3">{[locality, region].filter((part) => part !== null).join(", ")}</span>
        </span>
        {addressRequired && <Chip tone="warn">{t("needs an address")}</Chip>}
        <Button small disabled={busy !== undefined} onClick={() => onBuy(phoneNumber)}>
          {busy === phoneNumber ? t("Buying…") : t("Buy")}
        </Button>
      </li>
    ))}
  </ul>
)

export const AddNumber = ({ onClose }: { readonly onClose: () => void }) => {
  const agents = useAgentList().data ?? []
  const [way, setWay] = useState<"buy" | "connected" | "sip">("buy")
  const [agentId, setAgentId] = useState("")
  const [wanted, setWanted] = useState<Wanted>({ country: "US", type: "local", contains: "" })
  const [asked, setAsked] = useState<Wanted>()
  const [typed, setTyped] = useState("")
  const { add, problem, busy } = useAdd(onClose)
  const number = dialable(typed)
  const found = useQuery({
    queryKey: [...keys.numbers, "available", asked],
    enabled: asked !== undefined,
    retry: false,
    queryFn: ({ signal }) => {
      const { country = "US", type = "local", contains = "" } = asked ?? {}
      const query = { country, type, limit: 20, ...(contains === "" ? {} : { contains }) }
      return parley.phoneNumbers.available(query, { signal }).then(({ data }) => data)
    }
  })
  return (
    <Dialog title={t("Add a number")} onClose={onClose}>
      <div className="flex flex-col gap-3.5">
        <Segmented
          label={t("Where it comes from")}
          value={way}
          options={[
            { value: "buy", label: t("Buy one") },
            { value: "connected", label: t("In my account already") },
            { value: "sip", label: t("Own carrier") }
          ]}
          onChange={setWay}
        />
        <Select
          label={t("Answered by")}
          value={agentId}
          options={[["", t("nobody yet")], ...agents.map(({ id, name }) => [id, name] as const)]}
          onChange={(event) => setAgentId(event.target.value)}
        />
        {way === "buy" ? (
          <>
            <form
              className="grid grid-cols-2 items-end gap-2 md:grid-cols-[90px_1fr_1fr_auto]"
              onSubmit={(event) => {
                event.preventDefault()
                setAsked({ ...wanted, country: wanted.country.toUpperCase() })
              }}
            >
              <Input
                label={t("Country")}
                required
                maxLength={2}
                pattern="[A-Za-z]{2}"
                value={wanted.country}
                onChange={(event) => setWanted({ ...wanted, country: event.target.value })}
              />
              <Select
                label={t("Kind")}
                value={wanted.type}
                options={[
                  ["local", t("local")],
                  ["mobile", t("mobile")],
                  ["toll_free", t("toll-free")]
                ]}
                onChange={(event) => setWanted({ ...wanted, type: event.target.value as Wanted["type"] })}
              />
              <Input
                label={t("Contains")}
                placeholder="415*"
                maxLength={16}
                value={wanted.contains}
                onChange={(event) => setWanted({ ...wanted, contains: event.target.value })}
              />
              <Button type="submit" icon={Search} disabled={found.isFetching}>
                {t("Search")}
              </Button>
            </form>
            <div role="status">
              {found.isFetching && <p className="text-ink-3">{t("Searching…")}</p>}
              {found.error !== null && <p className="text-danger">{found.error.message}</p>}
              {found.data?.length === 0 && <p className="text-ink-3">{t("No such number is for sale.")}</p>}
            </div>
            {found.data !== undefined && found.data.length > 0 && (
              <Found numbers={found.data} busy={busy} onBuy={(one) => void add(one, "purchased", agentId)} />
            )}
          </>
        ) : (
          <form
            className="flex flex-col gap-3"
            onSubmit={(event) => {
              event.preventDefault()
              if (number !== undefined) void add(number, way, agentId)
            }}
          >
            <Input
              label={t("Number")}
              required
              placeholder="+14155550123"
              hint={
                way === "sip"
                  ? t("Your carrier sends its calls to your SIP domain.")
                  : t("It was bought in your account at the provider, or moved there.")
              }
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            <Button
              tone="primary"
              type="submit"
              className="self-end"
              disabled={number === undefined || busy !== undefined}
            >
              {t("Add the number")}
            </Button>
          </form>
        )}
        <Problem>{problem}</Problem>
      </div>
    </Dialog>
  )
}
