/** Opens the microphone and the loudspeaker as a telephone. */
import workletUrl from "./telephone.worklet.ts?worker&url"

/** What the page tells the thread of the sound. */
export type ToTelephone =
  | { readonly kind: "media"; readonly bytes: Uint8Array }
  | { readonly kind: "mark"; readonly name: string }
  | { readonly kind: "clear" }

/** What it tells the page: each 20 ms of the microphone, with how loud both sides were (0 to 1), and marks that were reached. */
export type FromTelephone =
  | { readonly kind: "frame"; readonly bytes: Uint8Array; readonly caller: number; readonly agent: number }
  | { readonly kind: "mark"; readonly name: string }

export interface Telephone {
  /** What the browser calls the microphone. */
  readonly microphone: string
  readonly tell: (message: ToTelephone) => void
  readonly close: () => void
}

/** Fails as `getUserMedia` does: `NotAllowedError` when the person refuses, `NotFoundError` without a microphone. */
export const openTelephone = async (told: (message: FromTelephone) => void): Promise<Telephone> => {
  if (navigator.mediaDevices === undefined) throw new DOMException("No TLS, no microphone.", "SecurityError")
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 }
  })
  const context = new AudioContext({ latencyHint: "interactive" })
  const close = () => {
    for (const track of stream.getTracks()) track.stop()
    if (context.state !== "closed") void context.close()
  }
  try {
    await context.audioWorklet.addModule(workletUrl)
    const node = new AudioWorkletNode(context, "telephone", { outputChannelCount: [1] })
    node.port.onmessage = ({ data }: MessageEvent<FromTelephone>) => told(data)
    context.createMediaStreamSource(stream).connect(node).connect(context.destination)
    await context.resume()
    return {
      microphone: stream.getAudioTracks()[0]?.label ?? "",
      tell: (message) => node.port.postMessage(message),
      close
    }
  } catch (cause) {
    close()
    throw cause
  }
}
