/** A person, with their role and what can be done about them. */
import type { User } from "@parley/client"
import { Link2, UserRoundCheck, UserRoundX } from "lucide-react"
import { useSession } from "../../../api/session.tsx"
import { Avatar } from "../../../components/Avatar.tsx"
import { Button } from "../../../components/Button.tsx"
import { Chip } from "../../../components/Chip.tsx"
import { t } from "../../../lib/i18n.ts"
import { grantable, type Role, roleNames } from "./roles.ts"

export const PersonRow = ({
  person,
  onRole,
  onLink,
  onActive
}: {
  readonly person: User
  readonly onRole: (role: Role) => void
  readonly onLink: () => void
  readonly onActive: (active: boolean) => void
}) => {
  const { user: me } = useSession()
  const { id, name, email, role, status } = person
  const mine = id === me.id
  // Owners are changed by owners only.
  const mayChange = !mine && (role !== "OWNER" || me.role === "OWNER")
  const gone = status === "deactivated"
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5 not-last:border-b not-last:border-line">
      <Avatar name={name} who="human" />
      <span className="min-w-0 flex-1 basis-44">
        <span className="flex flex-wrap items-center gap-2">
          <bdi className="font-medium [overflow-wrap:anywhere]">{name}</bdi>
          {mine && <Chip tone="accent">{t("You")}</Chip>}
          {status === "invited" && <Chip tone="warn">{t("invited")}</Chip>}
          {gone && <Chip>{t("deactivated")}</Chip>}
        </span>
        <span className="block truncate text-small text-ink-3">{email}</span>
      </span>
      {mayChange && !gone ? (
        <select
          aria-label={t("Role of {name}", { name })}
          value={role}
          onChange={(event) => {
            const next = grantable(me.role).find((one) => one === event.target.value)
            if (next !== undefined) onRole(next)
          }}
          className="h-8 rounded-control border border-line-strong bg-surface px-2 pointer-coarse:h-11"
        >
          {grantable(me.role).map((one) => (
            <option key={one} value={one}>
              {t(roleNames[one])}
            </option>
          ))}
        </select>
      ) : (
        <span className="text-ink-2">{t(roleNames[role])}</span>
      )}
      {mayChange && (
        <span className="ms-auto flex gap-1">
          {gone ? (
            <Button
              small
              icon={UserRoundCheck}
              onClick={() => onActive(true)}
              label={t("Let {name} in again", { name })}
            />
          ) : (
            <>
              <Button small icon={Link2} onClick={onLink} label={t("New link for {name}", { name })} />
              <Button
                small
                tone="danger"
                icon={UserRoundX}
                onClick={() => onActive(false)}
                label={t("Deactivate {name}", { name })}
              />
            </>
          )}
        </span>
      )}
    </li>
  )
}
