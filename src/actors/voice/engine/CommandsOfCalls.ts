/** Commands to running calls: to which input of the call each leads, and why a call may not take one now. */
import type { CallInput } from "../../../domain/voice/dialogue/Call.ts"
import { type CallCommand, type CommandRefusal, takeCommands } from "../../../domain/voice/engine/CallCommand.ts"
import type { CallPeople } from "../call/CallPeople.ts"
import type { OpenCall } from "../call/OpenCall.ts"
import type { ListenerInvitation } from "./CallListeners.ts"

/** Undefined: to invite a listener tells the call nothing. */
const inputOf = (command: CallCommand): CallInput | undefined => {
  switch (command.type) {
    case "say":
      return { _tag: "SayRequested", text: command.text }
    case "end":
      return { _tag: "EndRequested" }
    case "transfer":
      return { _tag: "HumanRequested" }
    case "whisper":
      return { _tag: "Whispered", text: command.text }
    case "take_over":
      return { _tag: "TakenOver" }
    case "hand_back":
      return { _tag: "HandedBack", lost: false }
    case "listen":
      return undefined
  }
}

const refusalOf = ({ people }: OpenCall, command: CallCommand): CommandRefusal | undefined => {
  switch (command.type) {
    case "say":
      return people.taken ? "with_person" : undefined
    case "whisper":
      return people.closing ? "ending" : undefined
    case "take_over":
      if (people.closing) return "ending"
      if (people.taken) return "with_person"
      return people.has(command.listener) ? undefined : "absent"
    case "hand_back":
      return people.taken ? undefined : "with_agent"
    default:
      return undefined
  }
}

/** Takes the commands to these calls. `invite` invites a listener to one. Lives as long as the scope. */
export const takeCommandsOf = (
  calls: ReadonlyMap<string, OpenCall>,
  invite: (invitation: ListenerInvitation, people: CallPeople) => CommandRefusal | undefined
) =>
  takeCommands((organizationId, callId, command) => {
    const call = calls.get(callId)
    if (call === undefined || call.options.agent.organizationId !== organizationId) return false
    const refused =
      refusalOf(call, command) ??
      (command.type === "listen"
        ? invite({ organizationId, callId, listener: command.listener }, call.people)
        : undefined)
    if (refused !== undefined) return { refused }
    if (command.type === "take_over") call.people.take(command.listener)
    const input = inputOf(command)
    if (input !== undefined) call.offer(input)
    return true
  })
