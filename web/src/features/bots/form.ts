/** What the sections of a text agent's form share: the draft, and how it is changed. */
import type { TextAgent } from "@parley/client"
import { createContext, useContext } from "react"
import type { BotSetting, BotSettings } from "./draft.ts"

export interface BotForm {
  readonly agent: TextAgent
  readonly draft: BotSettings
  readonly set: (changes: Partial<BotSettings>) => void
  readonly changed: ReadonlySet<BotSetting>
  /** The service's sentence about a setting, if it refused one. */
  readonly problemOf: (name: BotSetting) => string | undefined
}

const Context = createContext<BotForm | undefined>(undefined)
export const BotFormProvider = Context.Provider

export const useBotForm = (): BotForm => {
  const form = useContext(Context)
  if (form === undefined) throw new Error("There is no form of a text agent above.")
  return form
}

/** What a field of the form is given for one setting. */
export const useBotSetting = <Name extends BotSetting>(name: Name) => {
  const { draft, set, changed, problemOf } = useBotForm()
  return {
    value: draft[name],
    set: (value: BotSettings[Name]) => set({ [name]: value } as unknown as Partial<BotSettings>),
    changed: changed.has(name),
    problem: problemOf(name)
  }
}
