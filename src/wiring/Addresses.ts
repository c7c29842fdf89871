/** The addresses of this process and of the service as a whole. */

import { Option } from "effect"
import type { Settings } from "../config/Environment.ts"
import { listenPath } from "../http/media-stream/ListenSocket.ts"
import * as MediaSocket from "../http/media-stream/MediaSocket.ts"

/** This process on loopback; one worker never reaches another by it. */
export const local = ({ port, worker }: Settings) => `http://127.0.0.1:${worker?.ownPort ?? port}`

/** The service as providers and users reach it. */
export const publicBaseUrl = (settings: Settings) =>
  Option.getOrElse(settings.publicBaseUrl, () => `http://127.0.0.1:${settings.port}`)

/** Where the process of the sound listens. */
export const mediaPort = ({ mediaPort, port }: Pick<Settings, "mediaPort" | "port">) =>
  Option.getOrElse(mediaPort, () => port + 1)

/** Whether the sound of calls is in other processes than their engines. */
export const isSoundElsewhere = ({ mediaSockets, mediaLinks }: Settings) =>
  mediaSockets.length > 0 || mediaLinks.addresses.length > 0

/** Where streams come to when nothing else is said: on this machine to the process of the sound, from outside to where everything comes to. */
const ownStreamBase = (settings: Settings) =>
  settings.mediaSockets.length > 0 && Option.isNone(settings.publicBaseUrl)
    ? `http://127.0.0.1:${mediaPort(settings)}`
    : publicBaseUrl(settings)

/** The stream's address in the TwiML. Always `wss`: the provider accepts nothing else. */
export const streamUrl = (settings: Settings) =>
  Option.getOrElse(
    settings.streamUrl,
    () => `${ownStreamBase(settings).replace(/^https?/, "wss")}${MediaSocket.mediaPath}`
  )

/** Where people listen to calls: at an engine, also when streams come to a process of the sound. */
export const listenUrl = (settings: Settings) => {
  const engine = isSoundElsewhere(settings) ? Option.none() : settings.streamUrl
  const base = Option.getOrElse(engine, () => publicBaseUrl(settings).replace(/^https?/, "wss"))
  return new URL(listenPath, base).href
}
