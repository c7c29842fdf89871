/** The processes of the service: how many lines each has taken, and taking one out of use before it is stopped. */
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { keys } from "../../api/keys.ts"
import { operator } from "../../api/operator.ts"
import type { ServiceNode } from "../../api/operators/types.ts"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Loaded } from "../../components/Loaded.tsx"
import { PageBody, PageHead } from "../../components/Page.tsx"
import { Empty } from "../../components/States.tsx"
import { ago, number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { say } from "../../lib/toasts.ts"
import { Allowance } from "../settings/usage/Allowance.tsx"
import { ReasonDialog } from "./ReasonDialog.tsx"
import { useNodes } from "./useLive.ts"
import { nodeState } from "./words.ts"

const SwitchDialog = ({ node, onClose }: { readonly node: ServiceNode; readonly onClose: () => void }) => {
  const client = useQueryClient()
  const out = node.state !== "draining"
  return (
    <ReasonDialog
      title={
        out ? t("Take {host} out of use?", { host: node.host }) : t("Put {host} back into use?", { host: node.host })
      }
      action={out ? t("Take out of use") : t("Put back into use")}
      onClose={onClose}
      onConfirm={async (reason) => {
        const { drain, open } = operator.operatorNodes
        const changed = await (out ? drain : open)(node.id, { reason })
        client.setQueryData<ReadonlyArray<ServiceNode>>(keys.nodes, (all) =>
          all?.map((one) => (one.id === changed.id ? changed : one))
        )
        void client.invalidateQueries({ queryKey: keys.allInstallationEvents })
        say(
          out
            ? t("{host} takes no new calls.", { host: node.host })
            : t("{host} takes calls again.", { host: node.host })
        )
      }}
    >
      <p>
        {out
          ? t(
              "It takes no new calls. The calls that it has go on to their end; then it can be stopped without a caller noticing."
            )
          : t("It takes calls again, at once.")}
      </p>
    </ReasonDialog>
  )
}

/** One line for each node; the buttons only where they are wanted. */
export const NodeRows = ({
  nodes,
  onSwitch
}: {
  readonly nodes: ReadonlyArray<ServiceNode>
  readonly onSwitch?: (node: ServiceNode) => void
}) => (
  <ul aria-label={t("Nodes")} className="flex flex-col">
    {nodes.map((node) => {
      const { id, host, pid, lines, state, lost, seenAt } = node
      const { label, tone } = nodeState(node)
      return (
        <li
          key={id}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5 not-last:border-b not-last:border-line"
        >
          <span className="min-w-0 flex-1 basis-48">
            <bdi className="block font-semibold">{host}</bdi>
            <span className="num block text-small text-ink-3">
              {t("process {pid}", { pid: String(pid) })}
              {lost && ` · ${t("last heard of {when}", { when: ago(seenAt) })}`}
              {lines !== null && lines.lateMs >= 1 && ` · ${t("{n} ms late", { n: number(lines.lateMs) })}`}
            </span>
          </span>
          <Chip tone={tone}>{label}</Chip>
          {lines !== null && (
            <div className="min-w-0 flex-1 basis-40">
              <Allowance label={t("Lines")} used={lines.taken} of={lines.capacity} />
            </div>
          )}
          {onSwitch !== undefined && lines !== null && !lost && state !== "stopping" && (
            <Button small onClick={() => onSwitch(node)}>
              {state === "draining" ? t("Put back into use") : t("Take out of use")}
            </Button>
          )}
        </li>
      )
    })}
  </ul>
)

export const Nodes = () => {
  const nodes = useNodes()
  const [asked, setAsked] = useState<ServiceNode>()
  return (
    <>
      <PageHead title={t("Nodes")} />
      <PageBody wide>
        <Card title={t("Processes of the service")}>
          <Loaded query={nodes}>
            {(all) =>
              all.length === 0 ? (
                <Empty title={t("No node has told of itself yet.")}>{t("Each does every five seconds.")}</Empty>
              ) : (
                <NodeRows nodes={all} onSwitch={setAsked} />
              )
            }
          </Loaded>
        </Card>
      </PageBody>
      {asked !== undefined && <SwitchDialog node={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}
