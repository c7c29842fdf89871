/** What the engine asks of the app: run a tool, take an event of a call. Signed. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { CallEvent, ToolCallRequest, ToolCallResponse } from "../../domain/EngineProtocol.ts"
import { Decoding } from "../middleware/Decoding.ts"
import { EngineSigned } from "../middleware/EngineSigned.ts"

export const Applied = Schema.Struct({ applied: Schema.Literal(true) })

export class CallbacksGroup extends HttpApiGroup.make("callbacks")
  .add(
    HttpApiEndpoint.post("toolCall", "/tool-call", { payload: ToolCallRequest, success: ToolCallResponse }),
    HttpApiEndpoint.post("webhook", "/webhook", { payload: CallEvent, success: Applied })
  )
  .middleware(Decoding)
  .middleware(EngineSigned)
  .prefix("/api/voice-agents") {}
