/** The tools of a server, each as a model would be told of it, with what has changed since it was approved. What is ticked and saved is what agents may use. */
import type { McpServer } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { Button } from "../../../components/Button.tsx"
import { Card } from "../../../components/Card.tsx"
import { Checkbox } from "../../../components/Checkbox.tsx"
import { Chip } from "../../../components/Chip.tsx"
import { Problem } from "../../../components/States.tsx"
import { t } from "../../../lib/i18n.ts"
import { useSubmit } from "../../../lib/submit.ts"
import { say } from "../../../lib/toasts.ts"
import { Code } from "../parts/Code.tsx"
import { toolLooks } from "./health.ts"

type Tool = McpServer["tools"][number]

const mayBeApproved = ({ status }: Tool) => status !== "gone" && status !== "unusable"

const Row = ({
  tool,
  chosen,
  onChoose
}: {
  readonly tool: Tool
  readonly chosen: boolean
  readonly onChoose: (chosen: boolean) => void
}) => {
  const { name, title, description, inputSchema, agentToolName, status, notes } = tool
  const look = toolLooks[status]
  return (
    <li className="border-t border-line py-2.5">
      <div className="flex flex-wrap items-start gap-x-3">
        <span className="min-w-0 flex-1">
          <Checkbox
            label={
              <span className="font-medium [overflow-wrap:anywhere]">
                <code>{name}</code> {title !== null && <bdi className="font-normal text-ink-2">{title}</bdi>}
              </span>
            }
            checked={chosen}
            disabled={!mayBeApproved(tool)}
            onChange={onChoose}
          />
        </span>
        <Chip tone={look.tone}>{t(look.name)}</Chip>
      </div>
      <div className="flex flex-col gap-2 ps-6">
        <p dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-line text-ink-2">
          {description}
        </p>
        {notes.length > 0 && (
          <ul className="list-disc rounded-lg bg-warn-soft py-2 ps-7 pe-3 text-small text-warn">
            {notes.map((note) => (
              <li key={note} className="[overflow-wrap:anywhere]">
                {note}
              </li>
            ))}
          </ul>
        )}
        <details>
          <summary className="cursor-pointer text-small text-ink-3 pointer-coarse:py-3">
            {t("What it is asked with, and its name in calls")}
          </summary>
          <p className="py-1.5 text-small">
            <code>{agentToolName}</code>
          </p>
          <Code label={t("What it is asked with")} text={JSON.stringify(inputSchema, null, 2)} />
        </details>
      </div>
    </li>
  )
}

export const ToolList = ({ server: { id, tools } }: { readonly server: McpServer }) => {
  const client = useQueryClient()
  const approved = tools.filter(({ status }) => status === "approved").map(({ name }) => name)
  const [chosen, setChosen] = useState<ReadonlyArray<string>>(approved)
  const differs = chosen.length !== approved.length || chosen.some((name) => !approved.includes(name))
  const { busy, problem, clear, submit } = useSubmit(async () => {
    const wanted = tools.filter((tool) => mayBeApproved(tool) && chosen.includes(tool.name))
    const body = { tools: wanted.map(({ name, hash }) => ({ name, hash })) }
    client.setQueryData(keys.mcpServer(id), await parley.mcpServers.approve(id, body))
    await client.invalidateQueries({ queryKey: keys.mcpServers })
    say(t("Saved. New calls have it from now on."))
  })
  return (
    <Card title={t("Tools")}>
      {tools.length === 0 ? (
        <p className="text-ink-3">{t("The server has not said yet what it offers.")}</p>
      ) : (
        <form onSubmit={submit}>
          <p className="mb-3 text-ink-2">
            {t(
              "Agents have only what is ticked here, and only as it stands here: a tool that changes must be approved again."
            )}
          </p>
          <ul aria-label={t("Tools")}>
            {tools.map((tool) => (
              <Row
                key={tool.name}
                tool={tool}
                chosen={chosen.includes(tool.name)}
                onChoose={(on) => {
                  clear()
                  setChosen(on ? [...chosen, tool.name] : chosen.filter((name) => name !== tool.name))
                }}
              />
            ))}
          </ul>
          <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line pt-3">
            <Problem>{problem}</Problem>
            <Button tone="primary" type="submit" disabled={busy || !differs}>
              {t("Approve what is ticked")}
            </Button>
          </div>
        </form>
      )}
    </Card>
  )
}
