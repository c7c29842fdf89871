/** What the sections of an agent's form share: the draft, and how it is changed. */
import type { VoiceAgent } from "@parley/client"
import { createContext, useContext } from "react"
import type { SettingName, Settings } from "./draft.ts"

export interface AgentForm {
  readonly agent: VoiceAgent
  readonly draft: Settings
  readonly set: (changes: Partial<Settings>) => void
  readonly changed: ReadonlySet<SettingName>
  /** The service's sentence about a setting, if it refused one. */
  readonly problemOf: (name: SettingName) => string | undefined
}

const Context = createContext<AgentForm | undefined>(undefined)
export const FormProvider = Context.Provider

export const useForm = (): AgentForm => {
  const form = useContext(Context)
  if (form === undefined) throw new Error("There is no form of an agent above.")
  return form
}

/** What a field of the form is given for one setting. */
export const useSetting = <Name extends SettingName>(name: Name) => {
  const { draft, set, changed, problemOf } = useForm()
  return {
    value: draft[name],
    set: (value: Settings[Name]) => set({ [name]: value } as unknown as Partial<Settings>),
    changed: changed.has(name),
    problem: problemOf(name)
  }
}
