/** Makes or changes an endpoint. The secret of a new one is handed on: it is shown once, and kept nowhere. */
import type { WebhookEndpoint, WebhookEndpointWithSecret } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { Dialog } from "../../../components/Dialog.tsx"
import { Input } from "../../../components/Field.tsx"
import { HeaderRows } from "../../../components/HeaderRows.tsx"
import { SubmitForm } from "../../../components/SubmitForm.tsx"
import { t } from "../../../lib/i18n.ts"
import { useSubmit } from "../../../lib/submit.ts"
import { say } from "../../../lib/toasts.ts"
import { EventChoice } from "./EventChoice.tsx"
import type { Pattern } from "./words.ts"

export const EndpointForm = ({
  endpoint,
  onClose,
  onMade
}: {
  readonly endpoint?: WebhookEndpoint
  readonly onClose: () => void
  readonly onMade?: (made: WebhookEndpointWithSecret) => void
}) => {
  const client = useQueryClient()
  const [url, setUrl] = useState(endpoint?.url ?? "")
  const [description, setDescription] = useState(endpoint?.description ?? "")
  const [events, setEvents] = useState<ReadonlyArray<Pattern> | undefined>(
    endpoint === undefined || endpoint.events.length === 0 ? undefined : endpoint.events
  )
  const [headers, setHeaders] = useState(endpoint?.headers ?? {})
  const { busy, problem, clear, submit } = useSubmit(async () => {
    const body = { url: url.trim(), description: description.trim(), events: events ?? [], headers }
    if (endpoint === undefined) onMade?.(await parley.webhooks.create(body, { retries: 0 }))
    else {
      client.setQueryData(keys.webhook(endpoint.id), await parley.webhooks.update(endpoint.id, body))
      say(t("Saved."))
    }
    onClose()
    await client.invalidateQueries({ queryKey: keys.webhooks })
  })
  const atUrl = problem !== undefined && /\burl\b/i.test(problem)
  return (
    <Dialog title={endpoint === undefined ? t("New webhook") : t("Change the webhook")} onClose={onClose}>
      <SubmitForm
        submit={submit}
        busy={busy}
        problem={atUrl ? undefined : problem}
        action={endpoint === undefined ? t("Make the webhook") : t("Save")}
        incomplete={url.trim() === "" || events?.length === 0}
      >
        <Input
          label={t("Address")}
          hint={t("A server of yours on https, which takes what we send by POST.")}
          type="url"
          dir="ltr"
          autoFocus
          required
          maxLength={2_000}
          placeholder="https://"
          value={url}
          problem={atUrl ? problem : undefined}
          onChange={(event) => {
            clear()
            setUrl(event.target.value)
          }}
        />
        <Input
          label={t("Name")}
          hint={t("By which you know it again.")}
          maxLength={200}
          dir="auto"
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <EventChoice events={events} onChange={setEvents} />
        <HeaderRows headers={headers} onChange={setHeaders} />
      </SubmitForm>
    </Dialog>
  )
}
