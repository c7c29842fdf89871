/**
 * All providers of a crowd on one loopback port: a fraction of the cost of the simulators that tests use. They
 * speak the same protocols, take as long as real ones do, check what they hear, and can be away for a while.
 */
import * as Uws from "uWebSockets.js"
import type { Clips } from "./Clips.ts"
import { addLanguageModel, type Pieces } from "./LanguageModel.ts"
import { addModeration } from "./Moderation.ts"
import type { Outages } from "./Outages.ts"
import { addSpeechToText } from "./SpeechToText.ts"
import type { Stamps } from "./Stamps.ts"
import type { Tally } from "./Tally.ts"
import { addTextToSpeech } from "./TextToSpeech.ts"
import { addTool } from "./Tools.ts"

export interface Providers {
  readonly url: string
  readonly close: () => void
}

/** On any free port when `port` is 0. `pieces`: how the model's answers come. */
export const startProviders = (
  clips: Clips,
  tally: Tally,
  stamps: Stamps,
  outages: Outages,
  port = 0,
  pieces: Pieces = "clauses"
): Promise<Providers> =>
  new Promise((resolve, reject) => {
    const app = Uws.App()
    addSpeechToText(app, tally, stamps, outages)
    addLanguageModel(app, tally, stamps, outages, pieces)
    addModeration(app, outages)
    addTextToSpeech(app, clips, stamps, outages)
    addTool(app, tally)
    // A client that opens a connection ahead of its first request asks for nothing.
    app.any("/*", (res) => void res.writeStatus("204 No Content").endWithoutBody())
    app.listen("127.0.0.1", port, (socket) => {
      if (!socket)
        return reject(new Error(`the providers of the crowd cannot listen${port === 0 ? "" : ` on port ${port}`}`))
      resolve({ url: `http://127.0.0.1:${Uws.us_socket_local_port(socket)}`, close: () => app.close() })
    })
  })
