/** Runs that bring all voice agents up to date: how far one is, pausing it, and what failed. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Play } from "lucide-react"
import { useState } from "react"
import { keys } from "../../api/keys.ts"
import { useNumbered } from "../../api/numbered.ts"
import { operator } from "../../api/operator.ts"
import type { Resync } from "../../api/operators/types.ts"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Input } from "../../components/Field.tsx"
import { Listed } from "../../components/Listed.tsx"
import { Loaded } from "../../components/Loaded.tsx"
import { PageBody, PageHead } from "../../components/Page.tsx"
import { Empty } from "../../components/States.tsx"
import { moment, number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useTask } from "../../lib/task.ts"
import { Allowance } from "../settings/usage/Allowance.tsx"
import { ReasonDialog } from "./ReasonDialog.tsx"
import { resyncStates } from "./words.ts"

/** How long until a run that is under way is looked at again. */
const everyMs = 2_000

const isUnderWay = ({ status }: Pick<Resync, "status">) => status === "running" || status === "paused"

const StartDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const client = useQueryClient()
  const [organizationId, setOrganizationId] = useState("")
  return (
    <ReasonDialog
      title={t("Bring agents up to date?")}
      action={t("Start the run")}
      onClose={onClose}
      onConfirm={async (reason) => {
        const id = organizationId.trim()
        await operator.operatorResyncs.start({ organizationId: id === "" ? null : id, reason })
        void client.invalidateQueries({ queryKey: keys.allResyncs })
        void client.invalidateQueries({ queryKey: keys.allInstallationEvents })
      }}
    >
      <p>
        {t(
          "Each voice agent gets the locked provider stack, and the engines its configuration anew. An agent that fails keeps working as before."
        )}
      </p>
      <Input
        label={t("Id of one organization")}
        hint={t("Empty: all organizations.")}
        autoComplete="off"
        maxLength={200}
        value={organizationId}
        onChange={(event) => setOrganizationId(event.target.value)}
      />
    </ReasonDialog>
  )
}

const Failures = ({ id }: { readonly id: string }) => {
  const run = useQuery({
    queryKey: keys.resync(id),
    queryFn: ({ signal }) => operator.operatorResyncs.get(id, { signal }),
    staleTime: 0
  })
  return (
    <Loaded query={run}>
      {({ failures }) => (
        <ul aria-label={t("What failed")} className="flex flex-col gap-1.5">
          {failures.map(({ agentId, organizationId, reason }) => (
            <li key={agentId}>
              <bdi>{reason}</bdi>
              <span className="block font-mono text-small text-ink-3">
                {agentId} · {organizationId}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}

/** How far a run is. */
export const ResyncProgress = ({ run }: { readonly run: Resync }) => {
  const { total, updated, unchanged, failed } = run
  const done = updated + unchanged + failed
  return (
    <div className="flex flex-col gap-1.5">
      {total === null ? (
        <p className="text-ink-3">{t("The agents are being counted.")}</p>
      ) : (
        <Allowance label={t("Agents")} used={Math.min(done, total)} of={total} />
      )}
      <p className="num text-small text-ink-2">
        {t("{updated} updated, {unchanged} were up to date, {failed} failed", {
          updated: number(updated),
          unchanged: number(unchanged),
          failed: number(failed)
        })}
      </p>
    </div>
  )
}

const Run = ({ run }: { readonly run: Resync }) => {
  const client = useQueryClient()
  const { busy, run: task } = useTask()
  const [shown, setShown] = useState(false)
  const { id, organizationId, status, reason, failed, createdAt } = run
  const { label, tone } = resyncStates[status]
  const move = (what: "pause" | "resume" | "cancel") =>
    task(async () => {
      await operator.operatorResyncs[what](id)
      await client.invalidateQueries({ queryKey: keys.allResyncs })
    })
  return (
    <Card
      title={organizationId === null ? t("All organizations") : organizationId}
      beside={
        <>
          <Chip tone={tone}>{t(label)}</Chip>
          {status === "running" && (
            <Button small disabled={busy} onClick={() => move("pause")}>
              {t("Pause")}
            </Button>
          )}
          {status === "paused" && (
            <Button small tone="primary" disabled={busy} onClick={() => move("resume")}>
              {t("Resume")}
            </Button>
          )}
          {isUnderWay(run) && (
            <Button small tone="danger" disabled={busy} onClick={() => move("cancel")}>
              {t("Cancel the run")}
            </Button>
          )}
        </>
      }
    >
      <ResyncProgress run={run} />
      <p>
        <bdi>“{reason}”</bdi> <span className="num text-small text-ink-3">{moment(createdAt)}</span>
      </p>
      {failed > 0 && (
        <details onToggle={(event) => setShown(event.currentTarget.open)}>
          <summary className="cursor-pointer font-medium text-ink-2">{t("What failed")}</summary>
          <div className="pt-2">{shown && <Failures id={id} />}</div>
        </details>
      )}
    </Card>
  )
}

export const useResyncs = () =>
  useNumbered({
    queryKey: keys.resyncs,
    read: (at, signal) => operator.operatorResyncs.list(at, { signal }),
    againAfterMs: (all) => (all.some(({ status }) => status === "running") ? everyMs : false)
  })

export const Resyncs = () => {
  const list = useResyncs()
  const [starting, setStarting] = useState(false)
  const underWay = list.all?.some(isUnderWay) ?? false
  return (
    <>
      <PageHead title={t("Re-sync of agents")}>
        <Button
          tone="primary"
          icon={Play}
          disabled={underWay || list.all === undefined}
          onClick={() => setStarting(true)}
        >
          {t("Start a run")}
        </Button>
      </PageHead>
      <PageBody>
        <Listed
          list={list}
          empty={
            <Empty title={t("No run was started yet.")}>
              {t("A run gives all voice agents the locked provider stack.")}
            </Empty>
          }
        >
          {(all) => all.map((run) => <Run key={run.id} run={run} />)}
        </Listed>
      </PageBody>
      {starting && <StartDialog onClose={() => setStarting(false)} />}
    </>
  )
}
