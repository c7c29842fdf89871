/** Opens the microphone and the loudspeaker as a telephone. */
import workletUrl from "./telephone.worklet.ts?worker&url"

/** What the page tells the thread of the sound. */
export type ToTelephone =
  | { readonly kind: "media"; readonly bytes: Uint8Array }
  /** Sound that is heard as it happens: what comes late is thrown away. */
  | { readonly kind: "live"; readonly bytes: Uint8Array }
  | { readonly kind: "mark"; readonly name: string }
  | { readonly kind: "clear" }

/** What it tells the page: each 20 ms of the microphone, with how loud both sides were (0 to 1), and marks that were reached. */
export type FromTelephone =
  | { readonly kind: "frame"; readonly bytes: Uint8Array; readonly caller: number; readonly agent: number }
  | { readonly kind: "mark"; readonly name: string }

/** A loudspeaker, to which a microphone may be added. */
export interface Earpiece {
  readonly tell: (message: ToTelephone) => void
  /**
   * Frames have the microphone's sound from now on, until it is closed; gives what the browser calls it. Fails as `getUserMedia` does: `NotAllowedError`
   * when the person refuses, `NotFoundError` without a microphone.
   */
  readonly openMicrophone: () => Promise<string>
  readonly closeMicrophone: () => void
  readonly close: () => void
}

export interface Telephone extends Pick<Earpiece, "tell" | "close"> {
  /** What the browser calls the microphone. */
  readonly microphone: string
}

const askForMicrophone = (): Promise<MediaStream> => {
  if (navigator.mediaDevices === undefined) throw new DOMException("No TLS, no microphone.", "SecurityError")
  return navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 }
  })
}
const stop = (stream: MediaStream | undefined) => {
  for (const track of stream?.getTracks() ?? []) track.stop()
}

/** Opens the loudspeaker alone. Frames come all the same, and are silent. Fails with `SecurityError` at a page without TLS. */
export const openEarpiece = async (told: (message: FromTelephone) => void): Promise<Earpiece> => {
  const context = new AudioContext({ latencyHint: "interactive" })
  if (context.audioWorklet === undefined) {
    void context.close()
    throw new DOMException("No TLS, no sound.", "SecurityError")
  }
  let microphone: { readonly stream: MediaStream; readonly source: MediaStreamAudioSourceNode } | undefined
  const closeMicrophone = () => {
    microphone?.source.disconnect()
    stop(microphone?.stream)
    microphone = undefined
  }
  const close = () => {
    closeMicrophone()
    if (context.state !== "closed") void context.close()
  }
  try {
    await context.audioWorklet.addModule(workletUrl)
    const node = new AudioWorkletNode(context, "telephone", { outputChannelCount: [1] })
    node.port.onmessage = ({ data }: MessageEvent<FromTelephone>) => told(data)
    node.connect(context.destination)
    await context.resume()
    return {
      tell: (message) => node.port.postMessage(message),
      openMicrophone: async () => {
        const stream = await askForMicrophone()
        closeMicrophone()
        if (context.state === "closed") stop(stream)
        else {
          const source = context.createMediaStreamSource(stream)
          source.connect(node)
          microphone = { stream, source }
        }
        return stream.getAudioTracks()[0]?.label ?? ""
      },
      closeMicrophone,
      close
    }
  } catch (cause) {
    close()
    throw cause
  }
}

/** Opens the microphone and the loudspeaker. Fails as `Earpiece.openMicrophone` does. */
export const openTelephone = async (told: (message: FromTelephone) => void): Promise<Telephone> => {
  const earpiece = await openEarpiece(told)
  try {
    return { ...earpiece, microphone: await earpiece.openMicrophone() }
  } catch (cause) {
    earpiece.close()
    throw cause
  }
}
