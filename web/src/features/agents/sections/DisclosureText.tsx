/** What every caller hears first. It holds for all agents of the organization, and cannot be switched off. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { useSession } from "../../../api/session.tsx"
import { Button } from "../../../components/Button.tsx"
import { Card } from "../../../components/Card.tsx"
import { TextArea } from "../../../components/Field.tsx"
import { ErrorBlock, Skeleton } from "../../../components/States.tsx"
import { isAdmin } from "../../../lib/can.ts"
import { t } from "../../../lib/i18n.ts"
import { useSubmit } from "../../../lib/submit.ts"
import { say } from "../../../lib/toasts.ts"
import { useForm } from "../form.ts"

export const DisclosureText = () => {
  const session = useSession()
  const client = useQueryClient()
  const { agent } = useForm()
  const [typed, setTyped] = useState<string>()
  const { data, error, refetch } = useQuery({
    queryKey: keys.disclosure,
    queryFn: ({ signal }) => parley.disclosure.get({ signal })
  })
  const { busy, problem, submit } = useSubmit(async () => {
    if (typed === undefined) return
    client.setQueryData(keys.disclosure, await parley.disclosure.set({ text: typed }))
    setTyped(undefined)
    await client.invalidateQueries({ queryKey: keys.allVoiceAgents })
    say(t("The disclosure is saved. Calls have it from now on."))
  })
  if (error !== null && data === undefined) return <ErrorBlock error={error} again={() => void refetch()} />
  if (data === undefined) return <Skeleton className="h-24" />
  const text = typed ?? data.text
  return (
    <Card title={t("Disclosure")}>
      <p className="text-ink-2">{t("Callers of this agent hear first: “{text}”", { text: agent.disclosureText })}</p>
      {isAdmin(session) ? (
        <>
          <TextArea
            label={t("For all agents of the organization")}
            hint={t("One or two sentences. It cannot be switched off.")}
            rows={3}
            dir="auto"
            value={text}
            changed={text !== data.text}
            problem={problem}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button tone="primary" className="self-end" disabled={busy || text === data.text} onClick={submit}>
            {t("Save for all agents")}
          </Button>
        </>
      ) : (
        <p className="text-ink-3">{t("An owner or admin can change it.")}</p>
      )}
    </Card>
  )
}
