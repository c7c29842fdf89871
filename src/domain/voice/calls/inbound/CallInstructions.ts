/** Writes what a call does next as TwiML, the provider's instructions. */

import * as Twiml from "../../telephony/twilio/Twiml.ts"
import type { TransferAnswer } from "../live/TransferWebhook.ts"
import type { TakeVoicemailAnswer } from "./TakeVoicemail.ts"

const leaveMessage = ({ callId, lines, maxSeconds }: TakeVoicemailAnswer, webhooks: string): string =>
  Twiml.recordVoicemail({
    lines: lines.map(({ audioKey, ...line }) =>
      audioKey === undefined ? line : { ...line, audioUrl: `${webhooks}/speech/${audioKey}.wav` }
    ),
    maxSeconds,
    action: `${webhooks}/message/ended?call=${callId}`,
    recorded: `${webhooks}/message/recorded?call=${callId}`
  })

/** The TwiML for an answer. `webhooks`: address of the telephony webhooks, e.g. `https://app.example.com/api/webhooks/telephony`. */
export const twimlOf = (answer: TransferAnswer | TakeVoicemailAnswer, webhooks: string): string => {
  switch (answer._tag) {
    case "TakeVoicemail":
      return leaveMessage(answer, webhooks)
    case "Connect":
      return Twiml.connectStream({
        action: `${webhooks}/voice/continue`,
        url: answer.streamUrl,
        parameters: { callId: answer.callId, token: answer.token }
      })
    case "Say":
      return Twiml.sayAndHangUp(answer.sentence, answer.language)
    case "Busy":
      return Twiml.reject("busy")
    case "HangUp":
      return Twiml.hangUp()
    case "Dial":
      return answer.twiml
    case "Wait":
      return Twiml.waitInLine(answer)
    case "Leave":
      return Twiml.leaveLine()
    case "Nothing":
      return Twiml.nothing()
  }
}
