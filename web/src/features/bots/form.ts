/** The form of a text agent. */
import type { TextAgent } from "@parley/client"
import { makeSettingForm } from "../../lib/settingForm.ts"
import type { BotSettings } from "./draft.ts"

export const {
  Provider: BotFormProvider,
  useForm: useBotForm,
  useSetting: useBotSetting
} = makeSettingForm<TextAgent, BotSettings>()
