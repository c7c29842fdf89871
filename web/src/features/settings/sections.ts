/** The sections of the settings, with the scope that a person needs for them. A new one is one line here, and a route under `settingsRoute`. */
import type { Session } from "@parley/client"
import {
  Building2,
  Clock,
  Gauge,
  KeyRound,
  type LucideIcon,
  ScrollText,
  Sparkles,
  Users,
  Webhook,
  Wrench
} from "lucide-react"
import { can, type Scope } from "../../lib/can.ts"
import { message } from "../../lib/i18n.ts"

export interface Section {
  readonly label: string
  /** What one does there, in a sentence. */
  readonly about: string
  readonly icon: LucideIcon
  readonly scope: Scope
}

const section = <To extends string>(to: To, rest: Section) => ({ to, ...rest })

const sections = [
  section("/settings/organization", {
    label: message("Organization"),
    about: message("Name, time zone, due times, what callers hear first, how long data is kept, notifications."),
    icon: Building2,
    scope: "admin"
  }),
  section("/settings/team", {
    label: message("Team"),
    about: message("Who works here, with which role. Invite somebody, or end their access."),
    icon: Users,
    scope: "admin"
  }),
  section("/settings/hours", {
    label: message("Business hours"),
    about: message("When calls are answered and placed, and days that differ."),
    icon: Clock,
    scope: "voice:read"
  }),
  section("/settings/webhooks", {
    label: message("Webhooks"),
    about: message("Tell a server of yours what happens here, and see what it answers."),
    icon: Webhook,
    scope: "admin"
  }),
  section("/settings/keys", {
    label: message("API keys"),
    about: message("What programs work here with, what they may do, and when they last did."),
    icon: KeyRound,
    scope: "admin"
  }),
  section("/settings/mcp", {
    label: message("Assistants and MCP"),
    about: message("Connect an assistant, see those that work here, and approve tools of others' servers."),
    icon: Sparkles,
    scope: "admin"
  }),
  section("/settings/usage", {
    label: message("Usage and plan"),
    about: message("What the plan includes, and what of it is used this month."),
    icon: Gauge,
    scope: "admin"
  }),
  section("/settings/audit", {
    label: message("Audit log"),
    about: message("Who changed what, from where, with the values before and after."),
    icon: ScrollText,
    scope: "admin"
  }),
  section("/settings/tool-audit", {
    label: message("Tool audit"),
    about: message("Which tools agents ran in calls, with what, and what came back."),
    icon: Wrench,
    scope: "admin"
  })
]

/** The sections that a person may open. */
export const sectionsFor = (session: Session) => sections.filter(({ scope }) => can(session, scope))

/** Whether a person may see what is at an address of the settings. */
export const maySee = (session: Session, path: string): boolean =>
  sections.every(({ to, scope }) => !(path === to || path.startsWith(`${to}/`)) || can(session, scope))
