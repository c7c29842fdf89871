/** Where an engine finds the processes that hold the sound of its calls. */
import { Option } from "effect"
import type { SoundAddress } from "../actors/voice/engine/SoundLinks.ts"
import type { Settings } from "../config/Environment.ts"
import { parseTlsAddress } from "../integrations/sound/TlsAddress.ts"
import { keepConnectedByTls } from "../integrations/sound/TlsPipes.ts"
import { keepConnected } from "../integrations/sound/UnixPipes.ts"

/** None: the sound is in this process. */
export const soundAddresses = ({ mediaSockets, mediaLinks }: Settings): ReadonlyArray<SoundAddress> => {
  // The settings were checked: all three are there when there are links.
  const file = Option.getOrElse(() => "")
  const files = { cert: file(mediaLinks.cert), key: file(mediaLinks.key), ca: file(mediaLinks.ca) }
  return [
    ...mediaSockets.map((path) => ({
      name: path,
      isRemote: false,
      keepConnected: (opened: Parameters<SoundAddress["keepConnected"]>[0]) => keepConnected(path, opened)
    })),
    ...mediaLinks.addresses.flatMap((name): ReadonlyArray<SoundAddress> => {
      const address = parseTlsAddress(name)
      if (address === undefined) return []
      return [
        {
          name,
          isRemote: true,
          keepConnected: (opened, warn) => keepConnectedByTls({ ...address, files, warn }, opened)
        }
      ]
    })
  ]
}
