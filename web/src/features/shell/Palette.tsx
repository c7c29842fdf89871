/** `Ctrl K`: pages, actions of the page, contacts and conversations by name or number. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { CircleUser, LogOut, Moon, Sun } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession, useSessionState } from "../../api/session.tsx"
import { Avatar } from "../../components/Avatar.tsx"
import { type Choice, Picker } from "../../components/Picker.tsx"
import { can } from "../../lib/can.ts"
import { phone } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { chooseTheme } from "../../lib/theme.ts"
import { sectionsFor } from "../settings/sections.ts"
import { useAllActions } from "./actions.ts"
import { usePlaces } from "./places.ts"

const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const session = useSession()
  const { signOut } = useSessionState()
  const navigate = useNavigate()
  const actions = useAllActions()
  const [typed, setTyped] = useState("")
  const search = typed.trim()
  const filter = { search, limit: 6 }
  const found = useQuery({
    queryKey: keys.contacts({ palette: true, ...filter }),
    queryFn: ({ signal }) => parley.contacts.list(filter, { signal }).then(({ data }) => data),
    enabled: search.length >= 2 && can(session, "contacts:read"),
    placeholderData: (before) => before
  })
  const pages = usePlaces().map(
    ({ to, label, icon, letter }): Choice => ({
      id: to,
      label: t(label),
      icon,
      keys: `G ${letter.toUpperCase()}`,
      group: t("Go to"),
      run: () => void navigate({ to })
    })
  )
  const settings = sectionsFor(session).map(
    ({ to, label, icon }): Choice => ({
      id: to,
      label: t(label),
      icon,
      group: t("Settings"),
      run: () => void navigate({ to })
    })
  )
  const own: ReadonlyArray<Choice> = [
    {
      id: "you",
      label: t("Your settings"),
      icon: CircleUser,
      group: t("You"),
      run: () => void navigate({ to: "/you" })
    },
    { id: "light", label: t("Light theme"), icon: Sun, group: t("You"), run: () => chooseTheme("light") },
    { id: "dark", label: t("Dark theme"), icon: Moon, group: t("You"), run: () => chooseTheme("dark") },
    { id: "out", label: t("Sign out"), icon: LogOut, group: t("You"), run: () => void signOut() }
  ]
  const contacts = (search.length >= 2 ? (found.data ?? []) : []).map((contact): Choice => {
    const name = contact.name ?? phone(contact.phone ?? "")
    return {
      id: contact.id,
      label: name,
      detail: contact.phone === null ? undefined : phone(contact.phone),
      words: search,
      sign: <Avatar name={name} size="s" />,
      group: t("Contacts"),
      run: () => void navigate({ to: "/contacts/$id", params: { id: contact.id } })
    }
  })
  return (
    <Picker
      title={t("Search and commands")}
      placeholder={t("Type a name, a number or a command")}
      choices={[...actions, ...contacts, ...pages, ...settings, ...own]}
      onType={setTyped}
      busy={found.isFetching}
      onClose={onClose}
    />
  )
}

export default Palette
