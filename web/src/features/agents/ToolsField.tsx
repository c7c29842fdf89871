/** What the agent can look up and do: a list, of which one is edited at a time. */
import { ChevronDown, ChevronRight, Plus, Trash2, Wrench } from "lucide-react"
import { type ReactNode, useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Chip } from "../../components/Chip.tsx"
import { ChangedMark } from "../../components/Field.tsx"
import { Icon } from "../../components/Icon.tsx"
import { t } from "../../lib/i18n.ts"
import { say } from "../../lib/toasts.ts"
import type { Tool } from "./draft.ts"
import type { AgentKind } from "./RunsIt.tsx"
import { ToolEditor } from "./ToolEditor.tsx"
import { freeName } from "./tools.ts"

const kindOf = ({ handler }: Tool): string => {
  switch (handler?.type) {
    case "http":
      return `${handler.method} ${handler.url}`
    case "builtin":
      return t("built in: {name}", { name: handler.name })
    case "mcp":
      return t("of an MCP server: {name}", { name: handler.tool })
    default:
      return t("nothing runs it")
  }
}

export const ToolsField = ({
  value: tools,
  set,
  changed,
  problem,
  kind,
  tryOut
}: {
  readonly value: ReadonlyArray<Tool>
  readonly set: (tools: ReadonlyArray<Tool>) => void
  readonly changed: boolean
  readonly problem: string | undefined
  /** What the tools are for: an agent of calls, or one of chats. */
  readonly kind: AgentKind
  /** What stands under the tool that is edited, to run it once. */
  readonly tryOut?: (tool: Tool) => ReactNode
}) => {
  const [opened, setOpened] = useState<number>()
  const change = (at: number, tool: Tool) => set(tools.with(at, tool))
  const remove = (at: number) => {
    const before = tools
    set(tools.toSpliced(at, 1))
    setOpened(undefined)
    say(t("{name} is removed.", { name: tools[at]?.name ?? "" }), { label: t("Undo"), run: () => set(before) })
  }
  const add = () => {
    const tool: Tool = {
      name: freeName(tools.map(({ name }) => name)),
      description: "",
      parameters: { type: "object", properties: {} },
      handler: { type: "http", url: "https://", method: "POST" }
    }
    set([...tools, tool])
    setOpened(tools.length)
  }
  return (
    <Card
      title={t("Tools")}
      beside={
        <>
          {changed && <ChangedMark />}
          <Button small icon={Plus} onClick={add}>
            {t("Add a tool")}
          </Button>
        </>
      }
    >
      <p className="text-small text-ink-3">
        {t("The agent decides by the descriptions when it uses one. Handing over to a human is always there.")}
      </p>
      {problem !== undefined && (
        <p role="alert" className="text-small text-danger">
          {problem}
        </p>
      )}
      {tools.length === 0 && <p className="py-4 text-center text-ink-3">{t("No tools yet.")}</p>}
      <ul className="flex flex-col gap-2">
        {tools.map((tool, at) => (
          <li key={at} className="rounded-lg border border-line">
            <div className="flex flex-wrap items-center gap-2 px-2 py-1.5">
              <button
                type="button"
                aria-expanded={opened === at}
                onClick={() => setOpened(opened === at ? undefined : at)}
                className="flex min-h-8 min-w-0 flex-1 items-center gap-2 text-start pointer-coarse:min-h-11"
              >
                <Icon of={opened === at ? ChevronDown : ChevronRight} size={14} className="text-ink-3" />
                <Icon of={Wrench} size={14} className="text-ink-3" />
                <code className="font-mono text-small">{tool.name}</code>
                <span className="min-w-0 flex-1 truncate text-small text-ink-3" dir="ltr">
                  {kindOf(tool)}
                </span>
              </button>
              {tool.onInterruption === "cancel" && <Chip>{t("stops when interrupted")}</Chip>}
              <Button
                small
                tone="quiet"
                icon={Trash2}
                label={t("Remove {name}", { name: tool.name })}
                onClick={() => remove(at)}
              />
            </div>
            {opened === at && (
              <div className="flex flex-col gap-3.5 border-t border-line p-3">
                <ToolEditor
                  tool={tool}
                  others={tools.toSpliced(at, 1).map(({ name }) => name)}
                  kind={kind}
                  onChange={(next) => change(at, next)}
                />
                {tryOut?.(tool)}
              </div>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
