/** By which provider payments are asked for, and with which template outside of the time in which one may write freely. */
import type { ShownPaymentSettings } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Card } from "../../components/Card.tsx"
import { Select } from "../../components/Field.tsx"
import { ErrorBlock, Skeleton } from "../../components/States.tsx"
import { SubmitForm } from "../../components/SubmitForm.tsx"
import { t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { say } from "../../lib/toasts.ts"
import { useTemplates } from "../templates/useTemplates.ts"

const Form = ({ saved }: { readonly saved: ShownPaymentSettings }) => {
  const client = useQueryClient()
  const [provider, setProvider] = useState(saved.provider)
  const [template, setTemplate] = useState(saved.template)
  const templates = useTemplates()
  const { busy, problem, submit } = useSubmit(async () => {
    client.setQueryData(keys.paymentSettings, await parley.paymentSettings.put({ provider, template }))
    say(t("Saved."))
  })
  const keyOf = (one: { readonly name: string; readonly language: string }) => `${one.name} ${one.language}`
  const approved = (templates.data ?? []).filter(({ status }) => status === "APPROVED")
  const chosen = template === null ? "" : keyOf(template)
  return (
    <SubmitForm submit={submit} busy={busy} problem={problem} action={t("Save")}>
      <Select
        label={t("Provider of new links")}
        value={provider ?? ""}
        options={[
          ["", t("The one that is connected")],
          ...saved.connected.map((one) => [one.provider, `${one.title}, ${one.account}`] as const)
        ]}
        onChange={(event) =>
          setProvider(saved.connected.find((one) => one.provider === event.target.value)?.provider ?? null)
        }
      />
      <Select
        label={t("Template of the message with a link")}
        hint={t("It is sent when somebody has not written for 24 hours.")}
        value={chosen}
        options={[
          ["", t("None: then no link is sent")],
          ...(chosen === "" || approved.some((one) => keyOf(one) === chosen) ? [] : [[chosen, chosen] as const]),
          ...approved.map((one) => [keyOf(one), `${one.name} (${one.language})`] as const)
        ]}
        onChange={(event) => {
          const found = approved.find((one) => keyOf(one) === event.target.value)
          setTemplate(found === undefined ? null : { name: found.name, language: found.language })
        }}
      />
    </SubmitForm>
  )
}

export const PaymentSettings = () => {
  const { data, error, refetch } = useQuery({
    queryKey: keys.paymentSettings,
    queryFn: ({ signal }) => parley.paymentSettings.get({ signal })
  })
  return (
    <Card title={t("Payment links")}>
      {error !== null && data === undefined ? (
        <ErrorBlock error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton className="h-20" />
      ) : (
        <Form saved={data} />
      )}
    </Card>
  )
}
