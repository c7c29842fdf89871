/** How a server and its tools stand, in words. */
import type { McpServer } from "@parley/client"
import type { ChipTone } from "../../../components/Chip.tsx"
import { message } from "../../../lib/i18n.ts"

interface Look {
  readonly name: string
  readonly tone: ChipTone
}

export const healthLooks: Readonly<Record<McpServer["health"]["status"], Look>> = {
  unknown: { name: message("not tried yet"), tone: "plain" },
  ok: { name: message("works"), tone: "good" },
  failing: { name: message("failing"), tone: "danger" },
  unauthorized: { name: message("refuses us"), tone: "warn" }
}

export const toolLooks: Readonly<Record<McpServer["tools"][number]["status"], Look>> = {
  approved: { name: message("approved"), tone: "good" },
  new: { name: message("new"), tone: "accent" },
  changed: { name: message("has changed"), tone: "warn" },
  gone: { name: message("no longer offered"), tone: "plain" },
  unusable: { name: message("cannot be used"), tone: "danger" }
}

/** Whether a person must look at a server. */
export const wantsSomebody = ({ tools }: Pick<McpServer, "tools">): number =>
  tools.filter(({ status }) => status === "new" || status === "changed").length
