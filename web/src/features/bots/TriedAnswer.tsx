/** What an agent would have answered: its messages, where it has them from, and the tools that it called. */
import type { TextAgentAnswer } from "@parley/client"
import { Chip } from "../../components/Chip.tsx"
import { message, t } from "../../lib/i18n.ts"

/** The texts of an answer, as the contact would read them. */
export const textsOf = ({ messages }: Pick<TextAgentAnswer, "messages">): ReadonlyArray<string> =>
  messages.map(({ content }) => (typeof content.text === "string" ? content.text : JSON.stringify(content)))

const outcomes: Readonly<Record<Exclude<TextAgentAnswer["outcome"], "answered">, string>> = {
  handed_over: message("handed over"),
  resolved: message("resolved"),
  failed: message("failed")
}

export const TriedAnswer = ({ answer }: { readonly answer: TextAgentAnswer }) => {
  const { outcome, tools, reason, note, messages } = answer
  const sources = [
    ...new Map(
      messages.flatMap(({ sources: some = [] }) => some.map((one) => [`${one.sourceId} ${one.url}`, one]))
    ).values()
  ]
  return (
    <li className="flex max-w-[92%] flex-col gap-1 self-end">
      {tools.map((tool, at) => (
        <details key={at} className="text-small">
          <summary className="min-h-6 cursor-pointer text-ink-3 pointer-coarse:min-h-11">
            {t("Tool {name}", { name: tool.name })}
          </summary>
          <pre
            dir="ltr"
            className="mt-1 rounded-lg bg-sunken p-2 font-mono whitespace-pre-wrap [overflow-wrap:anywhere]"
          >
            {`${tool.arguments}\n→ ${tool.result}`}
          </pre>
        </details>
      ))}
      {textsOf(answer).map((text, at) => (
        <p
          key={at}
          dir="auto"
          className="rounded-card bg-ai-soft px-3 py-2 whitespace-pre-line [overflow-wrap:anywhere]"
        >
          {text}
        </p>
      ))}
      {sources.length > 0 && (
        <p className="text-small text-ink-3">
          {t("From: {titles}", { titles: [...new Set(sources.map(({ title }) => title))].join(", ") })}
        </p>
      )}
      {outcome !== "answered" && (
        <p className="flex flex-wrap items-center gap-1.5 text-small text-ink-2">
          <Chip tone={outcome === "failed" ? "danger" : outcome === "resolved" ? "good" : "warn"}>
            {t(outcomes[outcome])}
          </Chip>
          {reason}
        </p>
      )}
      {note !== null && (
        <details className="text-small">
          <summary className="min-h-6 cursor-pointer text-ink-3 pointer-coarse:min-h-11">
            {t("Note for your team")}
          </summary>
          <p dir="auto" className="mt-1 rounded-lg bg-warn-soft p-2 whitespace-pre-line text-warn">
            {note}
          </p>
        </details>
      )}
    </li>
  )
}
