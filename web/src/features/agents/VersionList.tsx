/** Every save of an agent: who, when, what; the difference to now, and the way back. Voice agents and text agents have it. */
import type { VoiceAgentVersion } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { RotateCcw } from "lucide-react"
import { useState } from "react"
import { useNamer } from "../../api/people.ts"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { ErrorBlock, Skeleton } from "../../components/States.tsx"
import { moment } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import type { SettingRules } from "../../lib/settingRules.ts"
import { useSubmit } from "../../lib/submit.ts"
import { say } from "../../lib/toasts.ts"
import { Differences } from "./Compare.tsx"

const most = 50

interface Versioned<Settings> {
  readonly rules: SettingRules<Settings>
  /** What a setting is called on the page. */
  readonly nameOf: (name: keyof Settings) => string
  /** As it is saved now. */
  readonly now: Settings
  /** Whether something is not saved. */
  readonly isDirty: boolean
  readonly mayRestore: boolean
  /** Where the list is kept; a version is kept below it. */
  readonly queryKey: ReadonlyArray<string>
  readonly list: (page: { readonly limit: number }, signal: AbortSignal) => Promise<ReadonlyArray<VoiceAgentVersion>>
  readonly read: (version: string, signal: AbortSignal) => Promise<Settings>
  /** Saves the settings of a version again, and puts the record where the page reads it. */
  readonly restore: (version: string) => Promise<void>
}

const Shown = <Settings,>({
  of: { rules, nameOf, now, isDirty, mayRestore, queryKey, read, restore },
  version,
  newest,
  onClose
}: {
  readonly of: Versioned<Settings>
  readonly version: number
  readonly newest: number
  readonly onClose: () => void
}) => {
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKey, version],
    queryFn: ({ signal }) => read(String(version), signal)
  })
  const { busy, problem, submit } = useSubmit(async () => {
    await restore(String(version))
    onClose()
    say(t("Version {n} is in force again.", { n: version }))
  })
  return (
    <Dialog
      title={t("Version {n}, compared with now", { n: version })}
      onClose={onClose}
      footer={
        mayRestore &&
        version !== newest && (
          <>
            {isDirty && <span className="flex-1 text-small text-warn">{t("Save or undo your changes before.")}</span>}
            <Button tone="primary" icon={RotateCcw} disabled={busy || isDirty} onClick={submit}>
              {t("Restore this version")}
            </Button>
          </>
        )
      }
    >
      {error !== null && data === undefined ? (
        <ErrorBlock error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton className="h-32" />
      ) : (
        <Differences rules={rules} nameOf={nameOf} before={now} after={data} />
      )}
      {problem !== undefined && (
        <p role="alert" className="mt-3 text-danger">
          {problem}
        </p>
      )}
    </Dialog>
  )
}

export const VersionList = <Settings extends object>(versioned: Versioned<Settings>) => {
  const { nameOf, now, queryKey, list } = versioned
  const personOf = useNamer()
  const [shown, setShown] = useState<number>()
  const { data, error, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => list({ limit: most }, signal) })
  if (error !== null && data === undefined) return <ErrorBlock error={error} again={() => void refetch()} />
  if (data === undefined) return <Skeleton className="h-40" />
  // A version of an older service may name what is no setting any more.
  const named = (changed: ReadonlyArray<string>) =>
    changed.flatMap((name) => (name in now ? [nameOf(name as keyof Settings)] : [])).join(", ")
  const newest = data[0]?.version ?? 0
  return (
    <Card title={t("Versions")}>
      <ol className="flex flex-col">
        {data.map(({ version, savedAt, savedBy, changed }) => (
          <li
            key={version}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 not-last:border-b not-last:border-line"
          >
            <b className="num w-10 font-semibold">{version}</b>
            <span className="min-w-0 flex-1 basis-48">
              <span className="block">
                <bdi>{savedBy.id === null ? t("The service") : personOf(savedBy.id).name}</bdi>
                <span className="num text-ink-3"> · {moment(savedAt)}</span>
              </span>
              <span className="block text-small text-ink-3">{version === 1 ? t("Created") : named(changed)}</span>
            </span>
            {version === newest ? (
              <span className="text-small text-ink-3">{t("in force")}</span>
            ) : (
              <Button small onClick={() => setShown(version)}>
                {t("Compare")}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <p className="text-small text-ink-3">{t("The newest {n} are kept.", { n: most })}</p>
      {shown !== undefined && (
        <Shown of={versioned} version={shown} newest={newest} onClose={() => setShown(undefined)} />
      )}
    </Card>
  )
}
