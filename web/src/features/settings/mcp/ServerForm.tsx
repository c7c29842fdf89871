/** Adds or changes an external MCP server. A secret that is left empty stays as it is. */
import type { McpServer } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { Dialog } from "../../../components/Dialog.tsx"
import { Input, Select } from "../../../components/Field.tsx"
import { NameInput } from "../../../components/NameInput.tsx"
import { NumberField } from "../../../components/NumberField.tsx"
import { SubmitForm } from "../../../components/SubmitForm.tsx"
import { t } from "../../../lib/i18n.ts"
import { useSubmit } from "../../../lib/submit.ts"

type Kind = McpServer["auth"]["type"]
const kinds: ReadonlyArray<Kind> = ["none", "token", "oauth"]

const given = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => (text.trim() === "" ? [] : [[name, text.trim()]]))
  )

export const ServerForm = ({
  server,
  onClose,
  onSaved
}: {
  readonly server?: McpServer
  readonly onClose: () => void
  readonly onSaved: (saved: McpServer) => void
}) => {
  const client = useQueryClient()
  const [name, setName] = useState(server?.name ?? "")
  const [url, setUrl] = useState(server?.url ?? "")
  const [timeoutMs, setTimeoutMs] = useState(server?.timeoutMs ?? 8_000)
  const [type, setType] = useState<Kind>(server?.auth.type ?? "none")
  const [token, setToken] = useState("")
  const [clientId, setClientId] = useState(server?.auth.clientId ?? "")
  const [clientSecret, setClientSecret] = useState("")
  const [scope, setScope] = useState(server?.auth.scope ?? "")
  const { busy, problem, submit } = useSubmit(async () => {
    const auth = {
      type,
      ...(type === "token" ? given({ token }) : type === "oauth" ? given({ clientId, clientSecret, scope }) : {})
    }
    const body = { name: name.trim(), url: url.trim(), timeoutMs, auth }
    const saved = await (server === undefined
      ? parley.mcpServers.create(body, { retries: 0 })
      : parley.mcpServers.change(server.id, body))
    client.setQueryData(keys.mcpServer(saved.id), saved)
    await client.invalidateQueries({ queryKey: keys.mcpServers })
    onClose()
    onSaved(saved)
  })
  const stays = server === undefined ? undefined : t("Left empty, it stays as it is.")
  return (
    <Dialog title={server === undefined ? t("Add an MCP server") : t("Change the MCP server")} onClose={onClose}>
      <SubmitForm
        submit={submit}
        busy={busy}
        problem={problem}
        action={server === undefined ? t("Add and try") : t("Save and try")}
        incomplete={name.trim() === "" || url.trim() === "" || timeoutMs < 100 || timeoutMs > 15_000}
      >
        <NameInput name={name} onName={setName} maxLength={60} />
        <Input
          label={t("Address")}
          hint={server && t("At another address no tool is approved any more.")}
          type="url"
          dir="ltr"
          required
          maxLength={2_000}
          placeholder="https://"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Select
          label={t("How we sign in there")}
          value={type}
          options={[
            ["none", t("not at all")],
            ["token", t("with a token")],
            ["oauth", t("a person authorizes us (OAuth)")]
          ]}
          onChange={(event) => setType(kinds.find((kind) => kind === event.target.value) ?? "none")}
        />
        {type === "token" && (
          <Input
            label={t("Token")}
            hint={stays}
            type="password"
            autoComplete="off"
            required={server?.auth.type !== "token"}
            maxLength={4_096}
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        )}
        {type === "oauth" && (
          <>
            <Input
              label={t("Client id")}
              hint={t("Only if you have made a client there: otherwise we register by ourselves.")}
              maxLength={2_000}
              autoComplete="off"
              value={clientId}
              onChange={(event) => setClientId(event.target.value)}
            />
            <Input
              label={t("Client secret")}
              hint={stays}
              type="password"
              autoComplete="off"
              maxLength={4_096}
              value={clientSecret}
              onChange={(event) => setClientSecret(event.target.value)}
            />
            <Input
              label={t("Scopes")}
              hint={t("Empty: those that the server names.")}
              maxLength={1_000}
              value={scope}
              onChange={(event) => setScope(event.target.value)}
            />
          </>
        )}
        <NumberField label={t("Waits at most, ms")} min={100} max={15_000} value={timeoutMs} onChange={setTimeoutMs} />
      </SubmitForm>
    </Dialog>
  )
}
