/** The tools that an agent used in a call: what was asked, what came back, and how long it took. */
import type { CallDetail } from "@parley/client"
import { Wrench } from "lucide-react"
import { Chip } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"

export const CallTools = ({ toolCalls }: Pick<CallDetail, "toolCalls">) => (
  <>
    <h2 className="mt-5 mb-2 font-semibold">{t("Tools")}</h2>
    <ul className="flex flex-col gap-2">
      {toolCalls.map((tool) => (
        <li key={tool.id} className="rounded-lg border border-line bg-surface px-3 py-2">
          <p className="flex flex-wrap items-center gap-1.5">
            <Icon of={Wrench} size={14} className="text-ink-3" />
            <code className="font-mono text-small">{tool.name}</code>
            <Chip tone={tool.outcome === "ok" ? "good" : "danger"}>{tool.outcome === "ok" ? "ok" : t("failed")}</Chip>
            {tool.withheld !== null && tool.withheld !== undefined && (
              <Chip tone="warn" title={tool.withheld.join(", ")}>
                {t("kept back by the content filter")}
              </Chip>
            )}
            <span className="num text-small text-ink-3">
              {number(Math.round(tool.durationMs), { style: "unit", unit: "millisecond" })}
            </span>
          </p>
          <dl className="mt-1 font-mono text-label text-ink-2" dir="ltr">
            <dt className="font-sans text-ink-3">{t("asked")}</dt>
            <dd className="max-h-32 overflow-y-auto whitespace-pre-wrap">{tool.arguments}</dd>
            <dt className="font-sans text-ink-3">{t("answered")}</dt>
            <dd className="max-h-32 overflow-y-auto whitespace-pre-wrap">{tool.result}</dd>
          </dl>
        </li>
      ))}
    </ul>
  </>
)
