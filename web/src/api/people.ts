/** Who is behind an id: colleagues, AI agents. */
import type { DirectoryEntry } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { firstOf } from "../lib/firstOf.ts"
import { t } from "../lib/i18n.ts"
import { parley } from "./client.ts"
import { keys } from "./keys.ts"
import { useSession } from "./session.tsx"

export interface Person {
  readonly id: string
  readonly name: string
  readonly who: "human" | "ai"
}

const useDirectory = (): ReadonlyArray<DirectoryEntry> => {
  const { data } = useQuery({
    queryKey: keys.people,
    queryFn: ({ signal }) => firstOf(parley.organization.people({}, { signal }))
  })
  return data ?? []
}

const personOf = ({ id, name, kind }: DirectoryEntry): Person => ({ id, name, who: kind === "person" ? "human" : "ai" })

/** Everybody to whom a conversation can be assigned. */
export const usePeople = (): ReadonlyArray<Person> =>
  useDirectory()
    .filter(({ active, kind }) => active && kind !== "voice_agent")
    .map(personOf)

/** The agents that speak on the telephone, also those that are gone. */
export const useVoiceAgents = (): ReadonlyArray<Person> =>
  useDirectory()
    .filter(({ kind }) => kind === "voice_agent")
    .map(personOf)

/** Makes the function that names an id; a person who is gone is named so. */
export const useNamer = () => {
  const people = useDirectory()
  const me = useSession().user
  return (id: string): Person => {
    if (id === me.id) return { id, name: me.name, who: "human" }
    const known = people.find((person) => person.id === id)
    if (known !== undefined) return personOf(known)
    if (id.startsWith("usr_")) return { id, name: t("A former colleague"), who: "human" }
    return id.startsWith("bot_") || id.startsWith("agt_")
      ? { id, name: t("AI agent"), who: "ai" }
      : { id, name: t("A program"), who: "human" }
  }
}
