/** The form of a voice agent. */
import type { VoiceAgent } from "@parley/client"
import { makeSettingForm } from "../../lib/settingForm.ts"
import type { Settings } from "./draft.ts"

export const { Provider: FormProvider, useForm, useSetting } = makeSettingForm<VoiceAgent, Settings>()
