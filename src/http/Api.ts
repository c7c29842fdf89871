/** The declared interfaces: requests are validated, and the OpenAPI document is made, from these. */
import { HttpApi, OpenApi } from "effect/http-api"
import { CallbacksGroup } from "./groups/callbacks.ts"
import { CallsGroup } from "./groups/calls.ts"
import { EngineGroup } from "./groups/engine.ts"
import { TelephonyGroup } from "./groups/telephony.ts"
import { VoiceAgentsGroup } from "./groups/voiceAgents.ts"

/** Role `app`. */
export class AppApi extends HttpApi.make("parley")
  .add(VoiceAgentsGroup)
  .add(CallsGroup)
  .add(CallbacksGroup)
  .add(TelephonyGroup)
  .annotateMerge(
    OpenApi.annotations({
      title: "Parley",
      version: "0.1.0",
      description: "Voice agents that answer real phone calls. Errors are { error: string }."
    })
  ) {}

/** Role `engine`: only the app talks to it. */
export class EngineApi extends HttpApi.make("parley-engine").add(EngineGroup) {}
