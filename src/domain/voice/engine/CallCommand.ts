/** What a person of the organization tells a call that is under way, and how it gets to the engine that has the call: over the bus between processes. */
import { Effect, Option, Schema } from "effect"
import { makeBusQuestion, takeBusRequests } from "../../basics/bus/BusRequest.ts"

export const CallCommand = Schema.Union([
  Schema.Struct({ type: Schema.Literal("say"), text: Schema.String }),
  Schema.Struct({ type: Schema.Literal("end") }),
  Schema.Struct({ type: Schema.Literal("transfer") }),
  /** Tells the agent something that the caller does not hear. */
  Schema.Struct({ type: Schema.Literal("whisper"), text: Schema.String }),
  /** Invites a listener, whose socket comes next. */
  Schema.Struct({ type: Schema.Literal("listen"), listener: Schema.String }),
  /** The listener talks with the caller in the agent's place. */
  Schema.Struct({ type: Schema.Literal("take_over"), listener: Schema.String }),
  Schema.Struct({ type: Schema.Literal("hand_back") })
])
export type CallCommand = typeof CallCommand.Type

/**
 * Why the engine that has a call refuses a command.
 * - `full`: as many people listen to calls of this engine as may
 * - `absent`: the listener is not connected
 * - `with_person`: a person has the call
 * - `with_agent`: no person has the call
 * - `ending`: the call is saying goodbye
 */
export const CommandRefusal = Schema.Literals(["full", "absent", "with_person", "with_agent", "ending"])
export type CommandRefusal = typeof CommandRefusal.Type
const isRefusal = Schema.is(CommandRefusal)

const requestType = "call.command"
const decode = Schema.decodeUnknownOption(Schema.Struct({ callId: Schema.String, command: CallCommand }))

/** Gives the function that sends a command to the engine that has the call. `nobody`: no engine has it, or none answers. */
export const makeSendCommand = Effect.map(
  makeBusQuestion(requestType),
  (send) => (organizationId: string, callId: string, command: CallCommand) =>
    Effect.map(
      send(organizationId, { callId, command: { ...command } }),
      (answer): "taken" | "nobody" | CommandRefusal => {
        if (typeof answer === "string") return answer
        return isRefusal(answer.refused) ? answer.refused : "nobody"
      }
    )
)

/** Hands commands to `take`, until the scope ends. `take` gives whether it has the call, or why it refuses, and must not throw. */
export const takeCommands = (
  take: (organizationId: string, callId: string, command: CallCommand) => boolean | { readonly refused: CommandRefusal }
) =>
  takeBusRequests(requestType, (organizationId, request) =>
    Option.match(decode(request), {
      onNone: () => false,
      onSome: ({ callId, command }) => take(organizationId, callId, command)
    })
  )
