/** Where this process, and the service as a whole, is reached. */

import { Option } from "effect"
import type { Settings } from "../config/Environment.ts"
import * as MediaSocket from "../http/media-stream/MediaSocket.ts"

export const local = ({ port, worker }: Settings) => `http://127.0.0.1:${worker?.ownPort ?? port}`

export const publicBaseUrl = (settings: Settings) =>
  Option.getOrElse(settings.publicBaseUrl, () => `http://127.0.0.1:${settings.port}`)

/** What TwiML names as the stream's address: always `wss`, the provider takes nothing else. */
export const streamUrl = (settings: Settings) =>
  Option.getOrElse(
    settings.streamUrl,
    () => `${publicBaseUrl(settings).replace(/^https?/, "wss")}${MediaSocket.mediaPath}`
  )
