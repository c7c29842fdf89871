/** The connection to WhatsApp: four values of Meta's dashboard, and what is to be entered there. */
import type { MessagingConnection } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Unplug } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Chip } from "../../components/Chip.tsx"
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx"
import { CopyLine } from "../../components/CopyLine.tsx"
import { Input } from "../../components/Field.tsx"
import { ErrorBlock, ListSkeleton } from "../../components/States.tsx"
import { SubmitForm } from "../../components/SubmitForm.tsx"
import { moment, phone } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { say } from "../../lib/toasts.ts"

const Form = ({ connection }: { readonly connection: MessagingConnection | null }) => {
  const client = useQueryClient()
  const [values, setValues] = useState({
    phoneNumberId: connection?.phoneNumberId ?? "",
    businessAccountId: connection?.businessAccountId ?? "",
    accessToken: "",
    appSecret: ""
  })
  const { busy, problem, clear, submit } = useSubmit(async () => {
    const { phoneNumberId, businessAccountId, accessToken, appSecret } = values
    const made = await parley.messagingConnection.set({
      phoneNumberId: phoneNumberId.trim(),
      businessAccountId: businessAccountId.trim(),
      ...(accessToken === "" ? {} : { accessToken }),
      ...(appSecret === "" ? {} : { appSecret })
    })
    client.setQueryData(keys.messagingConnection, made)
    await client.invalidateQueries({ queryKey: keys.messagingStatus })
    setValues({ ...values, accessToken: "", appSecret: "" })
    say(t("{name} is connected.", { name: "WhatsApp" }))
  })
  const field = (name: keyof typeof values, secret: boolean) => ({
    required: !secret || connection === null,
    maxLength: 4_096,
    value: values[name],
    ...(secret
      ? {
          type: "password",
          autoComplete: "off",
          placeholder: connection === null ? "" : t("Stored. Enter one only to replace it.")
        }
      : {}),
    onChange: (event: { target: { value: string } }) => {
      clear()
      setValues({ ...values, [name]: event.target.value })
    }
  })
  return (
    <SubmitForm
      submit={submit}
      busy={busy}
      problem={problem}
      action={connection === null ? t("Try and connect") : t("Try and save")}
    >
      <Input
        label={t("Phone number ID")}
        hint={t("In Meta's dashboard of your app: WhatsApp, API Setup.")}
        inputMode="numeric"
        {...field("phoneNumberId", false)}
      />
      <Input
        label={t("WhatsApp Business account ID")}
        hint={t("On the same page.")}
        inputMode="numeric"
        {...field("businessAccountId", false)}
      />
      <Input
        label={t("Access token")}
        hint={t("That of a system user, which does not expire.")}
        {...field("accessToken", true)}
      />
      <Input label={t("App secret")} hint={t("App settings, Basic.")} {...field("appSecret", true)} />
    </SubmitForm>
  )
}

const Disconnect = ({ onClose }: { readonly onClose: () => void }) => {
  const client = useQueryClient()
  return (
    <ConfirmDialog
      title={t("Disconnect {name}?", { name: "WhatsApp" })}
      action={t("Disconnect")}
      onClose={onClose}
      onConfirm={async () => {
        await parley.messagingConnection.remove()
        onClose()
        client.removeQueries({ queryKey: keys.messagingConnection })
        await client.invalidateQueries({ queryKey: keys.messagingStatus })
        say(t("{name} is disconnected.", { name: "WhatsApp" }))
      }}
    >
      {t("Messages then neither arrive nor go out. Conversations stay.")}
    </ConfirmDialog>
  )
}

const State = ({ connection }: { readonly connection: MessagingConnection }) => {
  const [leaving, setLeaving] = useState(false)
  const { businessName, phoneNumber, problem, problemAt, webhookUrl, verifyToken } = connection
  return (
    <Card
      title={t("State")}
      beside={
        problem === null ? <Chip tone="good">{t("Working")}</Chip> : <Chip tone="danger">{t("Has stopped")}</Chip>
      }
    >
      {problem !== null && (
        <p role="alert" className="rounded-lg bg-danger-soft px-3 py-2 text-danger">
          {problem}{" "}
          {problemAt !== null && <span className="num">{t("Since {time}.", { time: moment(problemAt) })}</span>}
        </p>
      )}
      <p>
        <bdi className="font-medium">{businessName ?? t("Connected.")}</bdi>{" "}
        {phoneNumber !== null && <span className="num text-ink-2">{phone(phoneNumber)}</span>}
      </p>
      <p className="text-ink-2">{t("Enter these two in Meta's dashboard: WhatsApp, Configuration, Webhook.")}</p>
      <CopyLine label={t("Callback URL")} text={webhookUrl} />
      <CopyLine label={t("Verify token")} text={verifyToken} />
      <Button tone="danger" icon={Unplug} className="self-start" onClick={() => setLeaving(true)}>
        {t("Disconnect")}
      </Button>
      {leaving && <Disconnect onClose={() => setLeaving(false)} />}
    </Card>
  )
}

export const WhatsApp = () => {
  const status = useQuery({
    queryKey: keys.messagingStatus,
    queryFn: ({ signal }) => parley.status.get({ signal })
  })
  const there = status.data !== undefined && (status.data.connected || status.data.problem !== null)
  const connection = useQuery({
    queryKey: keys.messagingConnection,
    enabled: there,
    queryFn: ({ signal }) => parley.messagingConnection.get({ signal })
  })
  const failed = status.error ?? connection.error
  if (failed !== null)
    return <ErrorBlock error={failed} again={() => void (status.error === null ? connection : status).refetch()} />
  if (status.data === undefined || (there && connection.data === undefined)) return <ListSkeleton />
  const known = there ? (connection.data ?? null) : null
  return (
    <>
      {known !== null && <State connection={known} />}
      <Card title={known === null ? t("Connect") : t("Credentials")}>
        <Form key={known?.id ?? "new"} connection={known} />
      </Card>
    </>
  )
}
