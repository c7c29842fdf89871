/** Every save of the agent: who, when, what; the difference to now, and the way back. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { RotateCcw } from "lucide-react"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { useNamer } from "../../../api/people.ts"
import { useSession } from "../../../api/session.tsx"
import { Button } from "../../../components/Button.tsx"
import { Card } from "../../../components/Card.tsx"
import { Dialog } from "../../../components/Dialog.tsx"
import { ErrorBlock, Skeleton } from "../../../components/States.tsx"
import { can } from "../../../lib/can.ts"
import { moment } from "../../../lib/format.ts"
import { t } from "../../../lib/i18n.ts"
import { useSubmit } from "../../../lib/submit.ts"
import { say } from "../../../lib/toasts.ts"
import { Differences } from "../Compare.tsx"
import { type SettingName, settingNames, settingsOf } from "../draft.ts"
import { useForm } from "../form.ts"
import { settingName } from "../words.ts"

const most = 50

const Shown = ({
  version,
  newest,
  onClose
}: {
  readonly version: number
  readonly newest: number
  readonly onClose: () => void
}) => {
  const { agent, changed } = useForm()
  const client = useQueryClient()
  const session = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.voiceAgentVersions(agent.id), version],
    queryFn: ({ signal }) => parley.voiceAgents.version(agent.id, String(version), { signal })
  })
  const { busy, problem, submit } = useSubmit(async () => {
    const restored = await parley.voiceAgents.restore(agent.id, String(version))
    client.setQueryData(keys.voiceAgent(agent.id), restored)
    void client.invalidateQueries({ queryKey: keys.voiceAgentVersions(agent.id) })
    onClose()
    say(t("Version {n} is in force again.", { n: version }))
  })
  const mayRestore = can(session, "voice:write") && version !== newest
  return (
    <Dialog
      title={t("Version {n}, compared with now", { n: version })}
      onClose={onClose}
      footer={
        mayRestore && (
          <>
            {changed.size > 0 && (
              <span className="flex-1 text-small text-warn">{t("Save or undo your changes before.")}</span>
            )}
            <Button tone="primary" icon={RotateCcw} disabled={busy || changed.size > 0} onClick={submit}>
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
        <Differences before={settingsOf(agent)} after={settingsOf(data.settings)} />
      )}
      {problem !== undefined && (
        <p role="alert" className="mt-3 text-danger">
          {problem}
        </p>
      )}
    </Dialog>
  )
}

export const Versions = () => {
  const { agent } = useForm()
  const nameOf = useNamer()
  const [shown, setShown] = useState<number>()
  const { data, error, refetch } = useQuery({
    queryKey: keys.voiceAgentVersions(agent.id),
    queryFn: ({ signal }) => parley.voiceAgents.versions(agent.id, { limit: most }, { signal }).then(({ data }) => data)
  })
  if (error !== null && data === undefined) return <ErrorBlock error={error} again={() => void refetch()} />
  if (data === undefined) return <Skeleton className="h-40" />
  const named = (changed: ReadonlyArray<string>) =>
    changed
      .filter((name): name is SettingName => settingNames.some((known) => known === name))
      .map(settingName)
      .join(", ")
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
                <bdi>{savedBy.id === null ? t("The service") : nameOf(savedBy.id).name}</bdi>
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
      {shown !== undefined && <Shown version={shown} newest={newest} onClose={() => setShown(undefined)} />}
    </Card>
  )
}
