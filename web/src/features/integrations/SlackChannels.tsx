/** Who answers in which channel of a team chat. All channels are saved together. */
import type { ChatMapping, GivenChatMappings } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Plus, Trash2 } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Input, Select } from "../../components/Field.tsx"
import { ErrorBlock, Skeleton } from "../../components/States.tsx"
import { SubmitForm } from "../../components/SubmitForm.tsx"
import { message, t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { say } from "../../lib/toasts.ts"
import { useBots } from "../bots/useBots.ts"

type Mapping = GivenChatMappings["mappings"][number]
type Target = Mapping["target"]
type Alert = NonNullable<Mapping["alerts"]>[number]

const targets: ReadonlyArray<readonly [Target["type"], string]> = [
  ["people", message("Your people answer")],
  ["agent", message("An AI agent answers")],
  ["queue", message("Shows conversations that wait for people")],
  ["ops", message("An AI agent helps your own people")],
  ["nobody", message("Is only told of things")]
]
const alerts: ReadonlyArray<readonly [Alert, string]> = [
  ["sla", message("A conversation waited too long")],
  ["integrations", message("An integration has stopped")],
  ["usage", message("The allowance of the month is used")],
  ["providers", message("A provider is down")]
]

const givenOf = ({ channel, target, alerts: told, dailySummaryAt }: ChatMapping): Mapping => ({
  ...{ channel, target, dailySummaryAt },
  ...(channel === "direct" ? {} : { alerts: told })
})

const Place = ({
  name,
  problem,
  mapping,
  agents,
  onChange,
  onRemove
}: {
  readonly name: string
  readonly problem: string | null | undefined
  readonly mapping: Mapping
  readonly agents: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly onChange: (mapping: Mapping) => void
  readonly onRemove: () => void
}) => {
  const { target, alerts: told = [], dailySummaryAt } = mapping
  const setTarget = (type: string) => {
    if (type === "people" || type === "nobody" || type === "queue") onChange({ ...mapping, target: { type } })
    else if (type === "agent" || type === "ops") {
      const agentId = "agentId" in target ? target.agentId : agents[0]?.id
      if (agentId !== undefined) onChange({ ...mapping, target: { type, agentId } })
    }
  }
  return (
    <fieldset className="flex flex-col gap-2.5 rounded-card border border-line p-3">
      <legend className="px-1 font-medium">{name}</legend>
      {problem && <p className="text-danger">{problem}</p>}
      <div className="grid gap-2.5 md:grid-cols-2">
        <Select
          label={t("Who answers")}
          value={target.type}
          options={targets
            .filter(([type]) => agents.length > 0 || (type !== "agent" && type !== "ops") || type === target.type)
            .map(([type, label]) => [type, t(label)])}
          onChange={(event) => setTarget(event.target.value)}
        />
        {"agentId" in target && (
          <Select
            label={t("AI agent")}
            value={target.agentId}
            options={agents.map((agent) => [agent.id, agent.name])}
            onChange={(event) => onChange({ ...mapping, target: { type: target.type, agentId: event.target.value } })}
          />
        )}
        <Input
          label={t("Summary of the day at")}
          type="time"
          value={dailySummaryAt ?? ""}
          onChange={(event) =>
            onChange({ ...mapping, dailySummaryAt: event.target.value === "" ? null : event.target.value })
          }
        />
      </div>
      {mapping.channel !== "direct" && (
        <div className="flex flex-wrap gap-x-4 gap-y-1">
          {alerts.map(([kind, label]) => (
            <label key={kind} className="flex min-h-6 items-center gap-1.5 text-small pointer-coarse:min-h-11">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={told.includes(kind)}
                onChange={(event) =>
                  onChange({
                    ...mapping,
                    alerts: event.target.checked ? [...told, kind] : told.filter((one) => one !== kind)
                  })
                }
              />
              {t(label)}
            </label>
          ))}
        </div>
      )}
      <Button small tone="quiet" icon={Trash2} className="self-end" onClick={onRemove}>
        {t("Remove {name}", { name })}
      </Button>
    </fieldset>
  )
}

const Form = ({ saved }: { readonly saved: ReadonlyArray<ChatMapping> }) => {
  const client = useQueryClient()
  const [mappings, setMappings] = useState(() => saved.map(givenOf))
  const [search, setSearch] = useState("")
  const agents = useBots()
  const channels = useQuery({
    queryKey: keys.chatChannels(search),
    queryFn: ({ signal }) =>
      parley.slack.channels(search === "" ? {} : { search }, { signal }).then(({ data }) => data),
    placeholderData: (before) => before
  })
  const { busy, problem, submit } = useSubmit(async () => {
    const { data } = await parley.slack.replaceMappings({ mappings })
    client.setQueryData(keys.chatMappings, data)
    setMappings(data.map(givenOf))
    say(t("Saved."))
  })
  const free = (channels.data ?? []).filter(
    ({ id, isTaken }) => !isTaken && !mappings.some(({ channel }) => channel === id)
  )
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const nameOf = (channel: string) =>
    channel === "direct"
      ? t("Direct messages to the app")
      : `#${saved.find((one) => one.channel === channel)?.name ?? names[channel] ?? channel}`
  const add = (channel: string) => {
    const found = free.find(({ id }) => id === channel)
    if (found !== undefined) setNames({ ...names, [found.id]: found.name })
    setMappings([...mappings, { channel, target: { type: "people" } }])
  }
  return (
    <SubmitForm submit={submit} busy={busy} problem={problem} action={t("Save channels")}>
      {mappings.map((mapping, at) => (
        <Place
          key={mapping.channel}
          name={nameOf(mapping.channel)}
          problem={saved.find(({ channel }) => channel === mapping.channel)?.problem}
          mapping={mapping}
          agents={agents.data ?? []}
          onChange={(next) => setMappings(mappings.with(at, next))}
          onRemove={() => setMappings(mappings.toSpliced(at, 1))}
        />
      ))}
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-40 flex-1">
          <Input
            label={t("Find a channel")}
            maxLength={100}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        <div className="min-w-40 flex-1">
          <Select
            label={t("Add a channel")}
            value=""
            options={[
              ["", channels.isPending ? t("Reading…") : t("Choose")],
              ...free.map(
                ({ id, name, isPrivate }) => [id, isPrivate ? t("#{name}, private", { name }) : `#${name}`] as const
              )
            ]}
            onChange={(event) => event.target.value !== "" && add(event.target.value)}
          />
        </div>
        {!mappings.some(({ channel }) => channel === "direct") && (
          <Button icon={Plus} onClick={() => add("direct")}>
            {t("Direct messages")}
          </Button>
        )}
      </div>
    </SubmitForm>
  )
}

export const SlackChannels = () => {
  const { data, error, refetch } = useQuery({
    queryKey: keys.chatMappings,
    queryFn: ({ signal }) => parley.slack.mappings({ signal }).then(({ data }) => data)
  })
  return (
    <Card title={t("Channels")}>
      {error !== null && data === undefined ? (
        <ErrorBlock error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton className="h-20" />
      ) : (
        <Form saved={data} />
      )}
    </Card>
  )
}
