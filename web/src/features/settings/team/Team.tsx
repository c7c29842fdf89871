/** The people of the organization: who may do what, and who may not come in any more. */
import type { User } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { Plus } from "lucide-react"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { useNumbered } from "../../../api/numbered.ts"
import { Button } from "../../../components/Button.tsx"
import { Dialog } from "../../../components/Dialog.tsx"
import { Listed } from "../../../components/Listed.tsx"
import { PageBody, PageHead } from "../../../components/Page.tsx"
import { SecretOnce } from "../../../components/SecretOnce.tsx"
import { Problem } from "../../../components/States.tsx"
import { moment } from "../../../lib/format.ts"
import { t } from "../../../lib/i18n.ts"
import { useKeys } from "../../../lib/keyboard.ts"
import { useSubmit } from "../../../lib/submit.ts"
import { say, sayProblem } from "../../../lib/toasts.ts"
import { InviteDialog } from "./InviteDialog.tsx"
import { type Invited, invitedOf } from "./invited.ts"
import { PersonRow } from "./PersonRow.tsx"
import { isLower, type Role, roleNames } from "./roles.ts"

interface Asked {
  readonly person: User
  /** The new role; undefined: the person is deactivated. */
  readonly role?: Role
}

/** What comes with a lower role or the end of somebody's access is said before it is done. */
const Confirm = ({
  asked: { person, role },
  onClose,
  onDone
}: {
  readonly asked: Asked
  readonly onClose: () => void
  readonly onDone: () => Promise<void>
}) => {
  const { busy, problem, submit } = useSubmit(async () => {
    await parley.users.update(person.id, role === undefined ? { active: false } : { role })
    onClose()
    await onDone()
  })
  const title =
    role === undefined
      ? t("Deactivate {name}?", { name: person.name })
      : t("Make {name} {role}?", { name: person.name, role: t(roleNames[role]) })
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <p>
          {role === undefined
            ? t("They are signed out everywhere, and the API keys that they made end for good. What they wrote stays.")
            : t("They are signed out, and the API keys that they made lose for good what the new role may not do.")}
        </p>
        <Problem>{problem}</Problem>
        <Button tone="danger" type="submit" className="self-end" disabled={busy}>
          {role === undefined ? t("Deactivate") : t("Change the role")}
        </Button>
      </form>
    </Dialog>
  )
}

export const Team = () => {
  const client = useQueryClient()
  const [inviting, setInviting] = useState(false)
  const [asked, setAsked] = useState<Asked>()
  /** In this component's memory only, until the person has kept it. */
  const [invited, setInvited] = useState<Invited>()
  const list = useNumbered({ queryKey: keys.users, read: (at, signal) => parley.users.list(at, { signal }) })
  useKeys({ n: () => setInviting(true) })
  const again = async () => {
    await client.invalidateQueries({ queryKey: keys.users })
    await client.invalidateQueries({ queryKey: keys.people })
  }
  const change = async (person: User, changes: { readonly role?: Role; readonly active?: boolean }) => {
    try {
      await parley.users.update(person.id, changes)
      await again()
      say(t("Saved."))
    } catch (cause) {
      sayProblem(cause)
    }
  }
  const link = async (person: User) => {
    try {
      setInvited(invitedOf(person, await parley.users.invite(person.id, { retries: 0 })))
      await again()
    } catch (cause) {
      sayProblem(cause)
    }
  }
  return (
    <>
      <PageHead title={t("Team")}>
        <Button tone="primary" icon={Plus} keys="N" onClick={() => setInviting(true)}>
          {t("Invite somebody")}
        </Button>
      </PageHead>
      <PageBody wide>
        <Listed list={list} empty={null}>
          {(all) => (
            <ul aria-label={t("People")} className="rounded-card border border-line bg-surface">
              {all.map((person) => (
                <PersonRow
                  key={person.id}
                  person={person}
                  onRole={(role) =>
                    isLower(role, person.role) ? setAsked({ person, role }) : void change(person, { role })
                  }
                  onLink={() => void link(person)}
                  onActive={(active) => (active ? void change(person, { active }) : setAsked({ person }))}
                />
              ))}
            </ul>
          )}
        </Listed>
      </PageBody>
      {inviting && <InviteDialog onClose={() => setInviting(false)} onInvited={setInvited} />}
      {asked !== undefined && (
        <Confirm
          asked={asked}
          onClose={() => setAsked(undefined)}
          onDone={async () => {
            await again()
            say(t("Saved."))
          }}
        />
      )}
      {invited !== undefined && (
        <SecretOnce
          title={t("The link for {name}", { name: invited.name })}
          facts={[[t("Good until"), moment(invited.expiresAt)]]}
          secret={[t("Link: hand it to them, and to nobody else"), invited.link]}
          onKept={() => setInvited(undefined)}
        />
      )}
    </>
  )
}
