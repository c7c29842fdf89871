/** Lets an agent call somebody: the number or the contact, which agent, and whether the person agreed to be called. */
import type { Contact } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { PhoneOutgoing } from "lucide-react"
import { useDeferredValue, useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { Button } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Input, Select, TextArea } from "../../components/Field.tsx"
import { can } from "../../lib/can.ts"
import { moment, phone } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { sentenceOf } from "../../lib/sentence.ts"
import { useSubmit } from "../../lib/submit.ts"
import { say } from "../../lib/toasts.ts"
import { useAgentList } from "../agents/useAgents.ts"
import { dialable } from "./dialable.ts"

/** The consent of a contact to be called, and the way to record one. */
const Consent = ({ contact }: { readonly contact: Contact }) => {
  const session = useSession()
  const client = useQueryClient()
  const [text, setText] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const key = ["voiceConsent", "one", contact.id] as const
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => parley.voiceConsents.get(contact.id, { signal })
  })
  if (data === undefined) return null
  if (data.consent !== null)
    return (
      <p className="flex flex-wrap items-center gap-2">
        <Chip tone="good">{t("agreed to be called")}</Chip>
        <span className="text-small text-ink-3" dir="auto">
          {moment(data.consent.grantedAt)} · {data.consent.source}
        </span>
      </p>
    )
  const record = async () => {
    try {
      client.setQueryData(key, await parley.voiceConsents.grant(contact.id, { source: "dashboard", text: text ?? "" }))
    } catch (cause) {
      setProblem(sentenceOf(cause))
    }
  }
  return (
    <div className="flex flex-col gap-2 rounded-lg bg-warn-soft p-3">
      <p className="text-warn">{t("There is no consent to be called. Where one is needed, the call is refused.")}</p>
      {can(session, "contacts:write") &&
        (text === undefined ? (
          <Button small className="self-start" onClick={() => setText("")}>
            {t("Record a consent")}
          </Button>
        ) : (
          <>
            <TextArea
              label={t("How the person agreed")}
              hint={t("In words, as evidence: it is kept for good.")}
              rows={2}
              maxLength={2_000}
              dir="auto"
              value={text}
              problem={problem}
              onChange={(event) => setText(event.target.value)}
            />
            <Button small className="self-start" disabled={text.trim() === ""} onClick={() => void record()}>
              {t("Record a consent")}
            </Button>
          </>
        ))}
    </div>
  )
}

const Dialer = ({ onClose, to = "" }: { readonly onClose: () => void; readonly to?: string }) => {
  const navigate = useNavigate()
  const agents = useAgentList().data ?? []
  const callable = agents.filter(({ phoneNumber }) => phoneNumber !== null)
  const [typed, setTyped] = useState(to)
  const [agentId, setAgentId] = useState<string>()
  const search = useDeferredValue(typed.trim())
  const number = dialable(typed)
  const found = useQuery({
    queryKey: keys.contacts({ dialer: true, search }),
    enabled: search.length >= 2,
    queryFn: ({ signal }) =>
      parley.contacts.list({ search: number ?? search, limit: 5 }, { signal }).then(({ data }) => data),
    placeholderData: (before) => before
  })
  const matches = (found.data ?? []).filter(({ phone: theirs }) => theirs !== null)
  const contact = matches.find(({ phone: theirs }) => theirs === number)
  const agent = callable.find(({ id }) => id === agentId) ?? callable[0]
  const { busy, problem, clear, submit } = useSubmit(async () => {
    if (number === undefined || agent === undefined) return
    const call = await parley.voiceAgents.call(agent.id, {
      to: number,
      ...(contact === undefined ? {} : { contactId: contact.id })
    })
    onClose()
    say(t("{agent} calls {number}.", { agent: agent.name, number: phone(number) }))
    await navigate({ to: "/live", search: { call: call.id } })
  })
  return (
    <Dialog title={t("Place a call")} onClose={onClose} side>
      <form onSubmit={submit} className="flex flex-col gap-3.5">
        <Input
          label={t("Number or contact")}
          autoFocus
          autoComplete="off"
          placeholder="+1 415 555 0101"
          value={typed}
          problem={problem}
          hint={number === undefined ? t("With the code of the country, or a contact’s name.") : phone(number)}
          onChange={(event) => {
            setTyped(event.target.value)
            clear()
          }}
        />
        {number === undefined && matches.length > 0 && (
          <ul aria-label={t("Contacts")} className="flex flex-col">
            {matches.map(({ id, name, phone: theirs }) => (
              <li key={id}>
                <button
                  type="button"
                  onClick={() => setTyped(theirs ?? "")}
                  className="flex min-h-9 w-full items-center gap-2 rounded-md px-2 text-start hover:bg-hover pointer-coarse:min-h-11"
                >
                  <span className="min-w-0 flex-1 truncate" dir="auto">
                    {name ?? t("Unknown contact")}
                  </span>
                  <span className="num text-ink-3">{phone(theirs ?? "")}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
        {contact !== undefined && (
          <>
            <p className="font-medium" dir="auto">
              {contact.name ?? t("Unknown contact")}
            </p>
            <Consent contact={contact} />
          </>
        )}
        {callable.length === 0 ? (
          <p className="text-ink-3">{t("No agent has a number to call from. Assign one to an agent first.")}</p>
        ) : (
          <Select
            label={t("Which agent calls")}
            value={agent?.id ?? ""}
            options={callable.map(({ id, name, phoneNumber }) => [id, `${name} · ${phone(phoneNumber ?? "")}`])}
            onChange={(event) => setAgentId(event.target.value)}
          />
        )}
        <p className="text-small text-ink-3">
          {t(
            "The person hears the disclosure first. Calls leave one a second; business hours and laws of calling times hold."
          )}
        </p>
        <Button
          tone="primary"
          type="submit"
          icon={PhoneOutgoing}
          disabled={busy || number === undefined || agent === undefined}
        >
          {t("Call")}
        </Button>
      </form>
    </Dialog>
  )
}

export default Dialer
