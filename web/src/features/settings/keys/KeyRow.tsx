/** A key as it is listed: never more of it than its beginning and its end. */
import type { ApiKey } from "@parley/client"
import { RotateCw, Trash2 } from "lucide-react"
import { useNamer } from "../../../api/people.ts"
import { Button } from "../../../components/Button.tsx"
import { Chip } from "../../../components/Chip.tsx"
import { ago, moment, shortDate } from "../../../lib/format.ts"
import { t } from "../../../lib/i18n.ts"
import { useNow } from "../../../lib/time.ts"
import { scopeWords } from "./scopes.ts"

const State = ({ apiKey: { status, rotatedTo, expiresAt } }: { readonly apiKey: ApiKey }) =>
  status === "revoked" ? (
    <Chip tone="danger">{t("revoked")}</Chip>
  ) : status === "expired" ? (
    <Chip>{t("ended")}</Chip>
  ) : rotatedTo !== null ? (
    <Chip tone="warn">{t("replaced")}</Chip>
  ) : expiresAt === null ? null : (
    <Chip title={moment(expiresAt)}>{t("ends {day}", { day: shortDate(expiresAt) })}</Chip>
  )

export const KeyRow = ({
  apiKey,
  onReplace,
  onRevoke
}: {
  readonly apiKey: ApiKey
  /** Without it the key is not replaced by hand. */
  readonly onReplace?: () => void
  readonly onRevoke: () => void
}) => {
  const now = useNow()
  const nameOf = useNamer()
  const { name, prefix, lastFour, scopes, status, lastUsedAt, makerId, createdAt, clientId, rotatedTo } = apiKey
  const maker = makerId === null ? t("the operator") : nameOf(makerId).name
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1.5 px-4 py-2.5 not-last:border-b not-last:border-line">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2">
          <bdi className="font-medium [overflow-wrap:anywhere]">{name}</bdi>
          {clientId !== null && <Chip tone="ai">{t("assistant")}</Chip>}
          <State apiKey={apiKey} />
        </p>
        <p className="font-mono text-small text-ink-3" dir="ltr">
          {prefix}…{lastFour ?? ""}
        </p>
        <p className="text-small text-ink-3">
          {t("Made by {name}, {time}", { name: maker, time: shortDate(createdAt) })}
          {" · "}
          {lastUsedAt === null ? (
            t("never used")
          ) : (
            <span title={moment(lastUsedAt)}>{t("last used {time}", { time: ago(lastUsedAt, now) })}</span>
          )}
        </p>
        <details className="text-small">
          <summary className="cursor-pointer py-0.5 text-ink-2 pointer-coarse:py-3">
            {t("{n, plural, one {May do # thing} other {May do # things}}", { n: scopes.length })}
          </summary>
          <ul className="list-disc ps-5 text-ink-2">
            {scopes.map((scope) => (
              <li key={scope}>{t(scopeWords[scope])}</li>
            ))}
          </ul>
        </details>
      </div>
      {status === "active" && (
        <span className="flex gap-1">
          {onReplace !== undefined && clientId === null && rotatedTo === null && (
            <Button small icon={RotateCw} onClick={onReplace} label={t("Replace {name}", { name })} />
          )}
          <Button small tone="danger" icon={Trash2} onClick={onRevoke} label={t("Revoke {name}", { name })} />
        </span>
      )}
    </li>
  )
}
