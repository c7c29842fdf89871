/** Which tools agents ran: with what, what came back, and in which call. */
import type { AuditedToolCall } from "@parley/client"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { useNumbered } from "../../../api/numbered.ts"
import { useNamer, useVoiceAgents } from "../../../api/people.ts"
import { Chip } from "../../../components/Chip.tsx"
import { SearchInput } from "../../../components/Field.tsx"
import { FilteredList } from "../../../components/FilteredList.tsx"
import { PageHead } from "../../../components/Page.tsx"
import { moment, number } from "../../../lib/format.ts"
import { t } from "../../../lib/i18n.ts"
import { Code, pretty } from "../parts/Code.tsx"
import { FilterBar, FilterDay, FilterSelect } from "./FilterBar.tsx"

const Run = ({ run }: { readonly run: AuditedToolCall }) => {
  const nameOf = useNamer()
  const { name, arguments: given, result, outcome, durationMs, withheld, createdAt, callId, agentId } = run
  return (
    <li className="border-b border-line">
      <details>
        <summary className="flex min-h-10 cursor-pointer flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-1.5 hover:bg-hover focus-visible:outline-offset-[-2px] md:px-5 pointer-coarse:min-h-11">
          <span className="min-w-0 flex-1 basis-40 truncate font-mono text-small">{name}</span>
          {agentId !== null && <bdi className="min-w-0 basis-28 truncate text-ink-2">{nameOf(agentId).name}</bdi>}
          <Chip tone={outcome === "ok" ? "good" : "danger"}>{outcome === "ok" ? t("done") : t("failed")}</Chip>
          <span className="num text-small text-ink-3">{t("{n} ms", { n: number(durationMs) })}</span>
          <time dateTime={createdAt} className="num text-small text-ink-3">
            {moment(createdAt)}
          </time>
        </summary>
        <div className="flex flex-col gap-2.5 px-4 pb-3 md:px-5">
          <Link to="/calls/$id" params={{ id: callId }} className="self-start text-accent underline">
            {t("To the call")}
          </Link>
          {withheld !== null && withheld.length > 0 && (
            <p className="text-warn">
              {t("The content filter withheld the answer: {why}", { why: withheld.join(", ") })}
            </p>
          )}
          <Code label={t("What it was asked with")} text={pretty(given)} />
          <Code label={t("What came back")} text={pretty(result)} />
        </div>
      </details>
    </li>
  )
}

export const ToolAudit = () => {
  const search = useSearch({ from: "/signed-in/settings-frame/settings/tool-audit" })
  const navigate = useNavigate()
  const agents = useVoiceAgents()
  const query = {
    name: search.name,
    agentId: search.agent,
    outcome: search.outcome,
    from: search.from,
    to: search.to
  }
  const list = useNumbered({
    queryKey: keys.toolCalls(query),
    read: (at, signal) => parley.toolAudit.list({ ...at, ...query }, { signal })
  })
  const set = (changes: { readonly [Name in keyof typeof search]?: string | undefined }) =>
    void navigate({ to: "/settings/tool-audit", search: { ...search, ...changes } as typeof search, replace: true })
  const filtered = Object.keys(search).length > 0
  return (
    <>
      <PageHead title={t("Tool audit")} />
      <FilterBar>
        <SearchInput
          label={t("Name of the tool")}
          value={search.name ?? ""}
          onSearch={(name) => set({ name: name === "" ? undefined : name })}
        />
        <FilterSelect
          label={t("Voice agent")}
          all={t("All agents")}
          value={search.agent}
          options={agents.map(({ id, name }) => [id, name])}
          onChoose={(agent) => set({ agent })}
        />
        <FilterSelect
          label={t("Outcome")}
          all={t("Every outcome")}
          value={search.outcome}
          options={[
            ["ok", t("done")],
            ["error", t("failed")]
          ]}
          onChoose={(outcome) => set({ outcome })}
        />
        <FilterDay label={t("From")} value={search.from} onChoose={(day) => set({ from: day })} />
        <FilterDay label={t("To")} value={search.to} onChoose={(day) => set({ to: day })} />
      </FilterBar>
      <FilteredList
        label={t("Tool audit")}
        list={list}
        filtered={filtered}
        noneMatches={t("No run matches.")}
        none={t("No agent has run a tool yet.")}
        onClear={() => void navigate({ to: "/settings/tool-audit", search: {} })}
      >
        {(run) => <Run key={run.id} run={run} />}
      </FilteredList>
    </>
  )
}
