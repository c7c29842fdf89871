/** Invites a person. There is no e-mail: whoever invites hands the link on. */
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { useSession } from "../../../api/session.tsx"
import { Dialog } from "../../../components/Dialog.tsx"
import { Input, Select } from "../../../components/Field.tsx"
import { SubmitForm } from "../../../components/SubmitForm.tsx"
import { t } from "../../../lib/i18n.ts"
import { useSubmit } from "../../../lib/submit.ts"
import { type Invited, invitedOf } from "./invited.ts"
import { grantable, type Role, roleNames, roleWords } from "./roles.ts"

export const InviteDialog = ({
  onClose,
  onInvited
}: {
  readonly onClose: () => void
  readonly onInvited: (invited: Invited) => void
}) => {
  const client = useQueryClient()
  const own = useSession().user.role
  const [email, setEmail] = useState("")
  const [name, setName] = useState("")
  const [role, setRole] = useState<Role>("AGENT")
  const { busy, problem, clear, submit } = useSubmit(async () => {
    const made = await parley.users.create({ email: email.trim(), name: name.trim(), role }, { retries: 0 })
    if (made.invitation !== null) onInvited(invitedOf(made, made.invitation))
    onClose()
    await client.invalidateQueries({ queryKey: keys.users })
    await client.invalidateQueries({ queryKey: keys.people })
  })
  const atEmail = problem !== undefined && /mail/i.test(problem)
  return (
    <Dialog title={t("Invite somebody")} onClose={onClose}>
      <SubmitForm
        submit={submit}
        busy={busy}
        problem={atEmail ? undefined : problem}
        action={t("Make the link")}
        incomplete={email.trim() === "" || name.trim() === ""}
      >
        <Input
          label={t("E-mail")}
          type="email"
          autoFocus
          required
          maxLength={254}
          autoComplete="off"
          value={email}
          problem={atEmail ? problem : undefined}
          onChange={(event) => {
            clear()
            setEmail(event.target.value)
          }}
        />
        <Input
          label={t("Name")}
          required
          maxLength={200}
          dir="auto"
          autoComplete="off"
          value={name}
          onChange={(event) => {
            clear()
            setName(event.target.value)
          }}
        />
        <Select
          label={t("Role")}
          hint={t(roleWords[role])}
          value={role}
          options={grantable(own).map((one) => [one, t(roleNames[one])])}
          onChange={(event) => setRole(grantable(own).find((one) => one === event.target.value) ?? "AGENT")}
        />
      </SubmitForm>
    </Dialog>
  )
}
