/** The pages that navigation and palette lead to, with the scope that a person needs for them. A new page is one line here. */

import {
  AudioWaveform,
  Banknote,
  BookOpen,
  Bot,
  Building2,
  ChartColumn,
  FlaskConical,
  Hash,
  Inbox,
  LayoutTemplate,
  type LucideIcon,
  Megaphone,
  Package,
  Phone,
  Plug,
  RadioTower,
  ShoppingBasket,
  ShoppingCart,
  Truck,
  Users,
  Voicemail,
  Zap
} from "lucide-react"
import { type FeatureId, useOrganization } from "../../api/organization.ts"
import { useSession } from "../../api/session.tsx"
import { can, type Scope } from "../../lib/can.ts"
import { message } from "../../lib/i18n.ts"

export interface Place {
  readonly label: string
  readonly icon: LucideIcon
  readonly scope: Scope
  /** The letter after `G`. */
  readonly letter: string
  /** It is shown once the plan of the organization is known to have it. */
  readonly feature?: FeatureId
  /** Also in the bar of a telephone, which has room for few: the others are under More there. */
  readonly bar?: true
}

const place = <To extends string>(to: To, rest: Place) => ({ to, ...rest })

/** The groups of the navigation, from top to bottom. The first has no name. */
const groups = [
  {
    name: undefined,
    places: [
      place("/inbox", { label: message("Inbox"), icon: Inbox, scope: "conversations:read", letter: "i", bar: true }),
      place("/contacts", { label: message("Contacts"), icon: Users, scope: "contacts:read", letter: "c", bar: true }),
      place("/broadcasts", { label: message("Broadcasts"), icon: Megaphone, scope: "messages:read", letter: "b" }),
      place("/templates", { label: message("Templates"), icon: LayoutTemplate, scope: "messages:read", letter: "t" }),
      place("/quick-replies", { label: message("Quick replies"), icon: Zap, scope: "messages:read", letter: "q" })
    ]
  },
  {
    name: message("Voice"),
    places: [
      place("/live", { label: message("Live calls"), icon: RadioTower, scope: "voice:read", letter: "v", bar: true }),
      place("/calls", { label: message("Calls"), icon: Phone, scope: "voice:read", letter: "l", bar: true }),
      place("/agents", { label: message("Voice agents"), icon: AudioWaveform, scope: "voice:read", letter: "a" }),
      place("/voicemails", { label: message("Voicemails"), icon: Voicemail, scope: "voice:read", letter: "m" }),
      place("/numbers", { label: message("Numbers"), icon: Hash, scope: "voice:read", letter: "n" })
    ]
  },
  {
    name: message("Automate"),
    places: [
      place("/bots", { label: message("AI agents"), icon: Bot, scope: "agents:read", letter: "j" }),
      place("/evaluations", { label: message("Evaluations"), icon: FlaskConical, scope: "agents:read", letter: "w" }),
      place("/knowledge", { label: message("Knowledge"), icon: BookOpen, scope: "knowledge:read", letter: "k" }),
      place("/integrations", { label: message("Integrations"), icon: Plug, scope: "admin", letter: "g" })
    ]
  },
  {
    name: message("Business"),
    places: [
      place("/companies", {
        label: message("Companies"),
        icon: Building2,
        scope: "modules:read",
        letter: "e",
        feature: "modules"
      }),
      place("/products", {
        label: message("Products"),
        icon: Package,
        scope: "modules:read",
        letter: "p",
        feature: "modules"
      }),
      place("/orders", {
        label: message("Orders"),
        icon: ShoppingCart,
        scope: "modules:read",
        letter: "o",
        feature: "modules"
      }),
      place("/suppliers", {
        label: message("Suppliers"),
        icon: Truck,
        scope: "modules:read",
        letter: "u",
        feature: "modules"
      }),
      place("/carts", {
        label: message("Carts"),
        icon: ShoppingBasket,
        scope: "modules:read",
        letter: "r",
        feature: "modules"
      }),
      place("/payment-links", {
        label: message("Payment links"),
        icon: Banknote,
        scope: "payments:write",
        letter: "d"
      }),
      place("/analytics", { label: message("Analytics"), icon: ChartColumn, scope: "messages:read", letter: "y" })
    ]
  }
]

/** The groups that the person sees something of, with what may be opened. */
export const useGroups = () => {
  const session = useSession()
  const features = useOrganization().data?.features ?? []
  const has = (wanted: FeatureId) => features.some(({ id, available }) => id === wanted && available)
  return groups
    .map(({ name, places }) => ({
      name,
      places: places.filter(({ scope, feature }) => can(session, scope) && (feature === undefined || has(feature)))
    }))
    .filter(({ places }) => places.length > 0)
}

/** All that the person may open, in the order of the navigation. */
export const usePlaces = () => useGroups().flatMap(({ places }) => places)
