/** Opens the socket to Sarvam's speech-to-text, and says why when it does not open. */
import { Effect, Redacted, type Scope } from "effect"
import { WebSocket } from "ws"
import { SpeechError } from "../../domain/ai/providers/Speech.ts"

export const sarvamError = (reason: SpeechError["reason"], message: string) =>
  new SpeechError({ provider: "sarvam", reason, message })

/** The reason for the status of a refused upgrade. Overload and server errors may pass; other statuses mean a wrong request or key. */
export const reasonOfRefusedUpgrade = (status: number): SpeechError["reason"] =>
  status === 429 || status >= 500 ? "unavailable" : "rejected"

const refused = (status: number) =>
  sarvamError(reasonOfRefusedUpgrade(status), `Speech-to-text refused the connection with status ${status}`)

/** Waits for the socket to open. An interrupted wait leaves the socket to the scope that owns it. */
const opened = (socket: WebSocket): Effect.Effect<WebSocket, SpeechError> =>
  Effect.callback((resume) => {
    const closed = (code: number) =>
      resume(Effect.fail(sarvamError("unavailable", `Closed with code ${code} while connecting`)))
    socket.once("open", () => {
      socket.off("close", closed)
      resume(Effect.succeed(socket))
    })
    socket.once("unexpected-response", (request, response) => {
      resume(Effect.fail(refused(response.statusCode ?? 0)))
      request.destroy()
    })
    socket.once("error", (error) => resume(Effect.fail(sarvamError("unavailable", error.message))))
    socket.once("close", closed)
  })

/** Closes an open socket with a close frame, and terminates it after a second. A socket that is still connecting is terminated at once. */
const close = (socket: WebSocket) => {
  if (socket.readyState !== WebSocket.OPEN) return socket.terminate()
  const impatience = setTimeout(() => socket.terminate(), 1_000)
  impatience.unref()
  socket.once("close", () => clearTimeout(impatience))
  socket.close(1000)
}

/** An open socket that belongs to the scope. Fails with `timeout`, `unavailable`, or `rejected` (bad key, bad parameters). */
export const connect = (
  url: string,
  key: Redacted.Redacted<string>,
  timeoutMs: number
): Effect.Effect<WebSocket, SpeechError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const socket = new WebSocket(url, {
        headers: { "api-subscription-key": Redacted.value(key) },
        perMessageDeflate: false,
        maxPayload: 1 << 20
      })
      // `close` follows every error; without a listener Node would end the process.
      socket.on("error", () => undefined)
      return socket
    }),
    (socket) => Effect.sync(() => close(socket))
  ).pipe(
    Effect.flatMap((socket) =>
      opened(socket).pipe(
        Effect.timeoutOrElse({
          duration: timeoutMs,
          // The scope may last as long as the call: without this the unused connection would stay, or open after all.
          orElse: () =>
            Effect.suspend(() => {
              socket.terminate()
              return Effect.fail(sarvamError("timeout", `No connection within ${timeoutMs} ms`))
            })
        })
      )
    )
  )
