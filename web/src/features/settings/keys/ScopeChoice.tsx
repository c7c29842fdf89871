/** What a key may do: everything that its maker may give away, to be ticked. */
import { useSession } from "../../../api/session.tsx"
import { Button } from "../../../components/Button.tsx"
import { Checkbox } from "../../../components/Checkbox.tsx"
import { can, type Scope } from "../../../lib/can.ts"
import { t } from "../../../lib/i18n.ts"
import { allScopes, readingScopes, scopeWords } from "./scopes.ts"

export const ScopeChoice = ({
  chosen,
  onChange
}: {
  readonly chosen: ReadonlyArray<Scope>
  readonly onChange: (chosen: ReadonlyArray<Scope>) => void
}) => {
  const session = useSession()
  const mine = (scopes: ReadonlyArray<Scope>) => scopes.filter((scope) => can(session, scope))
  return (
    <fieldset>
      <legend className="mb-1 text-small font-medium text-ink-2">{t("What it may do")}</legend>
      <div className="mb-1 flex flex-wrap gap-1.5">
        <Button small onClick={() => onChange(mine(readingScopes))}>
          {t("Only reading")}
        </Button>
        <Button small onClick={() => onChange(mine(allScopes).filter((scope) => scope !== "admin" && scope !== "mcp"))}>
          {t("Everything but managing")}
        </Button>
        <Button small onClick={() => onChange([])}>
          {t("Nothing")}
        </Button>
      </div>
      {mine(allScopes).map((scope) => (
        <Checkbox
          key={scope}
          label={t(scopeWords[scope])}
          detail={<code>{scope}</code>}
          checked={chosen.includes(scope)}
          onChange={(on) => onChange(on ? [...chosen, scope] : chosen.filter((one) => one !== scope))}
        />
      ))}
    </fieldset>
  )
}
