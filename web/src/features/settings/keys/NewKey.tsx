/** Makes a key. Name, what it may do, and until when. */
import type { CreatedApiKey } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { Dialog } from "../../../components/Dialog.tsx"
import { Input, Select } from "../../../components/Field.tsx"
import { SubmitForm } from "../../../components/SubmitForm.tsx"
import type { Scope } from "../../../lib/can.ts"
import { message, t } from "../../../lib/i18n.ts"
import { useSubmit } from "../../../lib/submit.ts"
import { ScopeChoice } from "./ScopeChoice.tsx"

const dayMs = 86_400_000
const lives: ReadonlyArray<readonly [days: number, name: string]> = [
  [0, message("never")],
  [30, message("in 30 days")],
  [90, message("in 90 days")],
  [365, message("in a year")]
]

export const NewKey = ({
  onClose,
  onMade
}: {
  readonly onClose: () => void
  readonly onMade: (made: CreatedApiKey) => void
}) => {
  const client = useQueryClient()
  const [name, setName] = useState("")
  const [scopes, setScopes] = useState<ReadonlyArray<Scope>>([])
  const [days, setDays] = useState(0)
  const { busy, problem, clear, submit } = useSubmit(async () => {
    const [first, ...rest] = scopes
    if (first === undefined) return
    const expiresAt = days === 0 ? null : new Date(Date.now() + days * dayMs).toISOString()
    // Not asked again by itself: a second answer would be a second key.
    onMade(await parley.apiKeys.create({ name: name.trim(), scopes: [first, ...rest], expiresAt }, { retries: 0 }))
    onClose()
    await client.invalidateQueries({ queryKey: keys.apiKeys })
  })
  return (
    <Dialog title={t("New API key")} onClose={onClose}>
      <SubmitForm
        submit={submit}
        busy={busy}
        problem={undefined}
        action={t("Make the key")}
        incomplete={name.trim() === "" || scopes.length === 0}
      >
        <Input
          label={t("Name")}
          hint={t("What uses it: one key for each program, so that each can be revoked alone.")}
          autoFocus
          required
          maxLength={120}
          dir="auto"
          autoComplete="off"
          value={name}
          problem={problem}
          onChange={(event) => {
            clear()
            setName(event.target.value)
          }}
        />
        <Select
          label={t("It ends")}
          value={String(days)}
          options={lives.map(([value, text]) => [String(value), t(text)])}
          onChange={(event) => setDays(Number(event.target.value))}
        />
        <ScopeChoice chosen={scopes} onChange={setScopes} />
      </SubmitForm>
    </Dialog>
  )
}
