/** What a contact has agreed to: messages and calls, with the words in which it was said. The evidence stays when it is withdrawn. */
import type { Contact } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Input, TextArea } from "../../components/Field.tsx"
import { Problem } from "../../components/States.tsx"
import { moment, shortDate } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { say, sayProblem } from "../../lib/toasts.ts"

/** Records a consent to calls: where it was given, and in which words. */
const GrantDialog = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const client = useQueryClient()
  const [source, setSource] = useState("")
  const [text, setText] = useState("")
  const { busy, problem, submit } = useSubmit(async () => {
    const granted = await parley.voiceConsents.grant(id, { source: source.trim(), text: text.trim() })
    client.setQueryData(keys.contactConsents(id), granted)
    onClose()
    say(t("Saved."))
  })
  return (
    <Dialog title={t("Consent to calls")} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Input
          label={t("Where it was given")}
          placeholder={t("Web form, at the counter, in a letter")}
          autoFocus
          required
          maxLength={200}
          value={source}
          onChange={(event) => setSource(event.target.value)}
        />
        <TextArea
          label={t("In which words")}
          required
          rows={3}
          dir="auto"
          maxLength={5_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Problem>{problem}</Problem>
        <Button
          tone="primary"
          type="submit"
          disabled={busy || source.trim() === "" || text.trim() === ""}
          className="self-end"
        >
          {t("Record the consent")}
        </Button>
      </form>
    </Dialog>
  )
}

export const ConsentCard = ({
  contact,
  editable,
  onChange
}: {
  readonly contact: Contact
  readonly editable: boolean
  /** Does something that another action takes back. */
  readonly onChange: (run: () => Promise<Contact>, said: string, undo: () => Promise<Contact>) => Promise<void>
}) => {
  const { id, optedIn } = contact
  const client = useQueryClient()
  const [granting, setGranting] = useState(false)
  const { data } = useQuery({
    queryKey: keys.contactConsents(id),
    queryFn: ({ signal }) => parley.voiceConsents.get(id, { signal })
  })
  const consent = data?.consent ?? null
  const withdraw = async () => {
    try {
      client.setQueryData(keys.contactConsents(id), await parley.voiceConsents.withdraw(id))
      say(t("Withdrawn: this contact is not called any more."))
    } catch (cause) {
      sayProblem(cause)
    }
  }
  const { optIn, optOut } = parley.messagingConsents
  return (
    <Card title={t("Consent")}>
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-24">{t("Messages")}</span>
        <Chip tone={optedIn ? "good" : "plain"}>{optedIn ? t("Opted in") : t("Not opted in")}</Chip>
        <span className="flex-1" />
        {editable && (
          <Button
            small
            onClick={() =>
              void onChange(
                () => (optedIn ? optOut(id) : optIn(id)),
                t("Saved."),
                () => (optedIn ? optIn(id) : optOut(id))
              )
            }
          >
            {optedIn ? t("Opt out") : t("Opt in")}
          </Button>
        )}
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <span className="min-w-24">{t("Calls")}</span>
        {consent === null ? (
          <Chip>{t("None")}</Chip>
        ) : (
          <Chip tone="good">{t("Written, {date}", { date: shortDate(consent.grantedAt) })}</Chip>
        )}
        <span className="min-w-0 flex-1 text-small text-ink-3" dir="auto">
          {consent !== null && `${consent.source}: ${consent.text}`}
        </span>
        {editable &&
          (consent === null ? (
            <Button small onClick={() => setGranting(true)}>
              {t("Record a consent")}
            </Button>
          ) : (
            <Button small onClick={() => void withdraw()}>
              {t("Withdraw")}
            </Button>
          ))}
      </div>
      {(data?.history.length ?? 0) > 0 && (
        <details className="mt-2">
          <summary className="cursor-pointer text-small text-ink-3">{t("Evidence")}</summary>
          <ul className="mt-1 flex flex-col gap-1 text-small">
            {data?.history.map((entry) => (
              <li key={entry.id}>
                <span className="num text-ink-3">{moment(entry.at)}</span>{" "}
                <b className="font-medium">{entry.action === "granted" ? t("granted") : t("withdrawn")}</b>{" "}
                <span dir="auto" className="text-ink-2">
                  {entry.source}
                  {entry.text !== "" && `: ${entry.text}`}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {granting && <GrantDialog id={id} onClose={() => setGranting(false)} />}
    </Card>
  )
}
