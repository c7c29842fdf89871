/** Reads the bodies of requests to the load-test providers. */
import type { HttpResponse } from "uWebSockets.js"

/** Reads the body and calls `then` with it; `gone` says whether the client has gone away meanwhile. */
export const whenRead = (res: HttpResponse, then: (body: string, gone: () => boolean) => void): void => {
  let text = ""
  let aborted = false
  res.onAborted(() => {
    aborted = true
  })
  res.onData((chunk, last) => {
    text += Buffer.from(chunk).toString("latin1")
    if (last) then(text, () => aborted)
  })
}
