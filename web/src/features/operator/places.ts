/** The places of the operators' navigation. */
import { Building2, CloudCog, Flag, Gauge, type LucideIcon, RefreshCw, ScrollText, Server } from "lucide-react"
import { message } from "../../lib/i18n.ts"

export interface OperatorPlace {
  readonly to:
    | "/operator"
    | "/operator/organizations"
    | "/operator/flags"
    | "/operator/resyncs"
    | "/operator/nodes"
    | "/operator/providers"
    | "/operator/events"
  readonly label: string
  readonly icon: LucideIcon
}

export const operatorPlaces: ReadonlyArray<OperatorPlace> = [
  { to: "/operator", label: message("Overview"), icon: Gauge },
  { to: "/operator/organizations", label: message("Organizations"), icon: Building2 },
  { to: "/operator/flags", label: message("Flags"), icon: Flag },
  { to: "/operator/resyncs", label: message("Re-sync of agents"), icon: RefreshCw },
  { to: "/operator/nodes", label: message("Nodes"), icon: Server },
  { to: "/operator/providers", label: message("Providers"), icon: CloudCog },
  { to: "/operator/events", label: message("Events"), icon: ScrollText }
]
