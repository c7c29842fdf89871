/** What goes on in a running call, in words and colour. */
import type { LiveCall } from "@parley/client"
import {
  CircleEllipsis,
  Ear,
  Headset,
  Hourglass,
  type LucideIcon,
  Mic,
  MicOff,
  PhoneCall,
  PhoneOff,
  Users,
  Volume2,
  Wrench
} from "lucide-react"
import type { CallActivity } from "../../api/callEvent.ts"
import type { ChipTone } from "../../components/Chip.tsx"
import { message, t } from "../../lib/i18n.ts"

export type Activity = LiveCall["state"] | CallActivity

interface Look {
  readonly label: string
  readonly tone: ChipTone
  readonly icon: LucideIcon
}

const looks: Readonly<Record<Activity, Look>> = {
  queued: { label: message("Waiting to be placed"), tone: "plain", icon: Hourglass },
  ringing: { label: message("Ringing"), tone: "plain", icon: PhoneCall },
  talking: { label: message("With the agent"), tone: "ai", icon: Ear },
  agent: { label: message("Agent speaks"), tone: "ai", icon: Volume2 },
  caller: { label: message("Caller speaks"), tone: "contact", icon: Mic },
  thinking: { label: message("Agent thinks"), tone: "ai", icon: CircleEllipsis },
  tool: { label: message("Running a tool"), tone: "plain", icon: Wrench },
  silence: { label: message("Agent listens"), tone: "contact", icon: MicOff },
  closing: { label: message("Saying goodbye"), tone: "plain", icon: PhoneOff },
  waiting: { label: message("In line for a human"), tone: "warn", icon: Users },
  human: { label: message("With a human"), tone: "accent", icon: Headset },
  over: { label: message("Over"), tone: "plain", icon: PhoneOff }
}

export const activityLook = (activity: Activity): Look => looks[activity]
export const activityName = (activity: Activity): string => t(looks[activity].label)
