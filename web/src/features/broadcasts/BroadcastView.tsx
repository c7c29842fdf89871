/** A broadcast: how far it is while it goes, who got it and who did not, and what can be done with it. */
import type { Broadcast } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { ArrowLeft, CirclePause, CirclePlay, CircleX, Send } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useNamer } from "../../api/people.ts"
import { useSession } from "../../api/session.tsx"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Icon } from "../../components/Icon.tsx"
import { PageHead } from "../../components/Page.tsx"
import { NoRecord, Skeleton } from "../../components/States.tsx"
import { isAdmin } from "../../lib/can.ts"
import { moment } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { say, sayProblem } from "../../lib/toasts.ts"
import { TemplatePreview } from "../templates/TemplatePreview.tsx"
import { gapsOf } from "../templates/template.ts"
import { useTemplates } from "../templates/useTemplates.ts"
import { Progress } from "./Progress.tsx"
import { Recipients } from "./Recipients.tsx"
import { StartDialog } from "./StartDialog.tsx"
import { recipientState, recipientStates, stateOf } from "./words.ts"

/** What it sends, with what the gaps hold. */
const What = ({ broadcast }: { readonly broadcast: Broadcast }) => {
  const { templateName, language, components } = broadcast
  const templates = useTemplates()
  const template = templates.data?.find((one) => one.name === templateName && one.language === language)
  if (template === undefined) return <p className="font-mono text-small">{templateName}</p>
  const given = components.flatMap((component) => component.parameters ?? [])
  const values = Object.fromEntries(
    gapsOf(template).map(({ key }, at) => {
      const parameter: unknown = given[at]
      const text = typeof parameter === "object" && parameter !== null ? Reflect.get(parameter, "text") : undefined
      return [key, typeof text === "string" ? text : ""]
    })
  )
  return <TemplatePreview template={template} values={values} />
}

const audienceText = ({ all, tags = [], contactIds = [] }: Broadcast["audience"]): string =>
  [
    ...(all === true ? [t("everybody who wants messages")] : []),
    ...(tags.length === 0 ? [] : [t("contacts with {tags}", { tags: tags.join(", ") })]),
    ...(contactIds.length === 0
      ? []
      : [t("{count, plural, one {# chosen contact} other {# chosen contacts}}", { count: contactIds.length })])
  ].join("; ")

const CancelDialog = ({ onCancel, onClose }: { readonly onCancel: () => void; readonly onClose: () => void }) => (
  <Dialog title={t("Cancel for good?")} onClose={onClose}>
    <div className="flex flex-col gap-3">
      <p>{t("Who waits gets nothing. What is on its way still arrives. It cannot be started again.")}</p>
      <Button
        tone="danger"
        icon={CircleX}
        className="self-end"
        onClick={() => {
          onClose()
          onCancel()
        }}
      >
        {t("Cancel the broadcast")}
      </Button>
    </div>
  </Dialog>
)

export const BroadcastView = ({ id }: { readonly id: string }) => {
  const { status: state } = useSearch({ from: "/signed-in/broadcasts/$id" })
  const client = useQueryClient()
  const navigate = useNavigate()
  const admin = isAdmin(useSession())
  const nameOf = useNamer()
  const [asking, setAsking] = useState<"start" | "cancel">()
  const { data, error, refetch } = useQuery({
    queryKey: keys.broadcast(id),
    queryFn: ({ signal }) => parley.broadcasts.get(id, { signal })
  })
  if (error !== null && data === undefined)
    return (
      <NoRecord
        error={error}
        again={() => void refetch()}
        title={t("This broadcast does not exist.")}
        to="/broadcasts"
        list={t("To the broadcasts")}
      />
    )
  if (data === undefined) return <Skeleton className="m-6 h-10 w-64" />
  const { name, status, counts, scheduledAt, startedAt, endedAt, failureReason, createdBy, createdAt } = data
  const { name: stateName, tone } = stateOf(status)
  const move = async (action: "start" | "pause" | "resume" | "cancel", said: string) => {
    try {
      client.setQueryData(keys.broadcast(id), await parley.broadcasts[action](id))
      void client.invalidateQueries({ queryKey: keys.allRecipients(id) })
      void client.invalidateQueries({ queryKey: keys.allBroadcasts })
      say(said)
    } catch (cause) {
      sayProblem(cause)
      void refetch()
    }
  }
  const facts: ReadonlyArray<readonly [string, string | null]> = [
    [t("To whom"), audienceText(data.audience)],
    [t("Made by"), `${nameOf(createdBy).name}, ${moment(createdAt)}`],
    [t("Scheduled for"), scheduledAt === null ? null : moment(scheduledAt)],
    [t("Started"), startedAt === null ? null : moment(startedAt)],
    [t("Ended"), endedAt === null ? null : moment(endedAt)]
  ]
  return (
    <>
      <PageHead
        title={name}
        beside={
          <>
            <Link
              to="/broadcasts"
              aria-label={t("Back to the list")}
              className={`${buttonClass({ tone: "quiet", square: true })} order-first -ms-2`}
            >
              <Icon of={ArrowLeft} />
            </Link>
            <Chip tone={tone}>{stateName}</Chip>
          </>
        }
      >
        {admin && (
          <>
            {(status === "draft" || status === "scheduled") && (
              <Button small tone="primary" icon={Send} onClick={() => setAsking("start")}>
                {t("Start now")}
              </Button>
            )}
            {status === "running" && (
              <Button small icon={CirclePause} onClick={() => void move("pause", t("Paused."))}>
                {t("Pause")}
              </Button>
            )}
            {status === "paused" && (
              <Button small tone="primary" icon={CirclePlay} onClick={() => void move("resume", t("It goes on."))}>
                {t("Resume")}
              </Button>
            )}
            {["draft", "scheduled", "running", "paused"].includes(status) && (
              <Button small tone="danger" icon={CircleX} onClick={() => setAsking("cancel")}>
                {t("Cancel the broadcast")}
              </Button>
            )}
          </>
        )}
      </PageHead>
      <div className="scroll-thin flex-1 overflow-y-auto p-4 md:p-6">
        <div className="mx-auto flex max-w-[860px] flex-col gap-4">
          {failureReason !== null && (
            <p role="alert" className="rounded-card bg-danger-soft px-4 py-3 text-danger">
              {failureReason}
            </p>
          )}
          {counts.total > 0 && (
            <Card title={t("Progress")}>
              <Progress counts={counts} words />
            </Card>
          )}
          <div className="grid gap-4 md:grid-cols-2">
            <Card title={t("What it sends")}>
              <What broadcast={data} />
            </Card>
            <Card title={t("About it")}>
              <dl className="flex flex-col gap-1.5">
                {facts.map(([label, text]) =>
                  text === null ? null : (
                    <div key={label} className="flex flex-wrap gap-x-3">
                      <dt className="w-28 shrink-0 text-ink-3">{label}</dt>
                      <dd className="min-w-0 flex-1" dir="auto">
                        {text}
                      </dd>
                    </div>
                  )
                )}
              </dl>
            </Card>
          </div>
          {counts.total > 0 && (
            <section aria-label={t("Recipients")} className="rounded-card border border-line bg-surface">
              <div className="flex items-center gap-3 border-b border-line px-4 py-2">
                <h2 className="flex-1 text-small font-semibold text-ink-2">{t("Recipients")}</h2>
                <select
                  aria-label={t("State")}
                  value={state ?? ""}
                  onChange={(event) => {
                    const chosen = recipientStates.find((one) => one === event.target.value)
                    void navigate({
                      to: "/broadcasts/$id",
                      params: { id },
                      search: chosen === undefined ? {} : { status: chosen },
                      replace: true
                    })
                  }}
                  className="h-8 rounded-control border border-line bg-surface px-2 pointer-coarse:h-11"
                >
                  <option value="">{t("All states")}</option>
                  {recipientStates.map((one) => (
                    <option key={one} value={one}>
                      {recipientState(one).name}
                    </option>
                  ))}
                </select>
              </div>
              <Recipients id={id} status={state} />
            </section>
          )}
        </div>
      </div>
      {asking === "start" && (
        <StartDialog
          broadcast={data}
          onStart={() => void move("start", t("It is being sent."))}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === "cancel" && (
        <CancelDialog onCancel={() => void move("cancel", t("Cancelled."))} onClose={() => setAsking(undefined)} />
      )}
    </>
  )
}
