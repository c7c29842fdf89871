/** Connects an integration, or changes its connection, by the fields that the service names. What is entered is tried before it is stored. */
import type { Integration, IntegrationField } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Input } from "../../components/Field.tsx"
import { SubmitForm } from "../../components/SubmitForm.tsx"
import { Switch } from "../../components/Switch.tsx"
import { t } from "../../lib/i18n.ts"
import { fieldsOf } from "../../lib/record.ts"
import { useSubmit } from "../../lib/submit.ts"
import { say } from "../../lib/toasts.ts"
import { type Mapping, MappingField } from "./MappingField.tsx"
import { showIntegration } from "./useIntegrations.ts"

type Setting = string | boolean | Mapping

const mappingOf = (value: unknown): Mapping =>
  Object.fromEntries(
    Object.entries(fieldsOf(value)).filter((entry): entry is [string, string] => typeof entry[1] === "string")
  )

/** The fields of contacts at a connected service. */
const useTheirFields = ({ provider, fields, connection }: Integration) =>
  useQuery({
    queryKey: keys.integrationFields(provider),
    enabled: connection?.state === "connected" && fields.some(({ type }) => type === "mapping"),
    queryFn: ({ signal }) => parley.integrations.fields(provider, { signal }).then(({ data }) => data)
  })

export const ConnectForm = ({ integration }: { readonly integration: Integration }) => {
  const client = useQueryClient()
  const { provider, title, fields, connection } = integration
  const [credentials, setCredentials] = useState<Readonly<Record<string, string>>>({})
  const [settings, setSettings] = useState<Readonly<Record<string, Setting>>>(connection?.settings ?? {})
  const theirs = useTheirFields(integration)
  const { busy, problem, clear, submit } = useSubmit(async () => {
    const given = Object.entries(settings).filter(([, value]) => value !== "")
    const answer = await parley.integrations.connect(provider, { credentials, settings: Object.fromEntries(given) })
    showIntegration(client, answer)
    setCredentials({})
    setSettings(answer.connection?.settings ?? {})
    say(connection === null ? t("{name} is connected.", { name: title }) : t("Saved."))
  })
  const set = (name: string, value: Setting) => {
    clear()
    setSettings({ ...settings, [name]: value })
  }
  const setSecret = (name: string, value: string) => {
    clear()
    const { [name]: _, ...rest } = credentials
    setCredentials(value === "" ? rest : { ...rest, [name]: value })
  }
  const kept = (name: string) => connection?.secrets.includes(name) === true
  const missing = ({ name, type, required }: IntegrationField) =>
    required && (type === "secret" ? credentials[name] === undefined && !kept(name) : (settings[name] ?? "") === "")

  const control = (field: IntegrationField) => {
    const { name, type, label, help, required } = field
    const hint = <span lang="en">{help}</span>
    if (type === "secret")
      return (
        <Input
          key={name}
          label={label}
          hint={hint}
          type="password"
          autoComplete="off"
          maxLength={4_096}
          required={required && !kept(name)}
          placeholder={kept(name) ? t("Stored. Enter one only to replace it.") : ""}
          value={credentials[name] ?? ""}
          onChange={(event) => setSecret(name, event.target.value)}
        />
      )
    if (type === "mapping")
      return (
        <MappingField
          key={name}
          label={label}
          help={help}
          value={mappingOf(settings[name])}
          theirs={theirs.data ?? []}
          onChange={(value) => set(name, value)}
        />
      )
    if (type === "boolean")
      return (
        <Switch
          key={name}
          label={label}
          detail={hint}
          checked={settings[name] === true}
          onChange={(checked) => set(name, checked)}
        />
      )
    const value = settings[name]
    return (
      <Input
        key={name}
        label={label}
        hint={hint}
        type={type === "url" ? "url" : "text"}
        required={required}
        maxLength={2_000}
        value={typeof value === "string" ? value : ""}
        onChange={(event) => set(name, event.target.value)}
      />
    )
  }
  return (
    <SubmitForm
      submit={submit}
      busy={busy}
      problem={problem}
      action={connection === null ? t("Try and connect") : t("Try and save")}
      incomplete={fields.some(missing)}
    >
      {fields.map(control)}
    </SubmitForm>
  )
}
