/** What the sections of an agent's form share: its draft, and how it is changed. Voice agents and text agents have one each. */
import { createContext, useContext } from "react"

export interface SettingForm<Agent, Settings> {
  /** As it is saved. */
  readonly agent: Agent
  readonly draft: Settings
  readonly set: (changes: Partial<Settings>) => void
  readonly changed: ReadonlySet<keyof Settings>
  /** The service's sentence about a setting, if it refused one. */
  readonly problemOf: (name: keyof Settings) => string | undefined
}

export const makeSettingForm = <Agent, Settings>() => {
  const Context = createContext<SettingForm<Agent, Settings> | undefined>(undefined)
  const useForm = (): SettingForm<Agent, Settings> => {
    const form = useContext(Context)
    if (form === undefined) throw new Error("There is no form of an agent above.")
    return form
  }
  /** What a field of the form is given for one setting. */
  const useSetting = <Name extends keyof Settings>(name: Name) => {
    const { draft, set, changed, problemOf } = useForm()
    return {
      value: draft[name],
      set: (value: Settings[Name]) => set({ [name]: value } as unknown as Partial<Settings>),
      changed: changed.has(name),
      problem: problemOf(name)
    }
  }
  return { Provider: Context.Provider, useForm, useSetting }
}
