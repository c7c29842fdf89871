/** An HTTP proxy in front of a real server that loses answers, or gives its own. */
import { createServer, type IncomingMessage, request } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/**
 * What becomes of a request: it is passed on; it is passed on and its answer is lost, or torn in the middle of its body; it is never answered; or it is
 * answered here.
 */
export type Fate =
  | "pass"
  | "lose"
  | "tear"
  | "silence"
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

export interface HttpProxy {
  readonly url: string
  readonly seen: ReadonlyArray<Seen>
  /** What becomes of the next requests, in their order; all others are passed on. */
  readonly next: (...fates: ReadonlyArray<Fate>) => void
  /** Cuts every connection. */
  readonly cut: () => void
}

/** Lives as long as the scope. */
export const httpProxy = (base: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const seen: Array<Seen> = []
      const fates: Array<Fate> = []
      const server = createServer((incoming, outgoing) => {
        const { method = "GET", url: path = "/", headers } = incoming
        const fate = fates.shift() ?? "pass"
        const chunks: Array<Buffer> = []
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
        incoming.on("error", () => outgoing.destroy())
        incoming.on("end", () => {
          const body = Buffer.concat(chunks)
          seen.push({ method, path, headers, body: body.toString("utf8") })
          if (fate === "silence") return
          if (typeof fate === "object") {
            outgoing.writeHead(fate.status, fate.headers).end(fate.body)
            return
          }
          const onward = request(new URL(path, base), { method, headers }, (answer) => {
            if (fate === "lose") {
              // The whole answer has come: the request was done.
              answer.resume().on("end", () => incoming.socket.destroy())
              return
            }
            outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
            if (fate === "tear") {
              answer.once("data", (chunk: Buffer) =>
                outgoing.write(chunk.subarray(0, chunk.length / 2), () => incoming.socket.destroy())
              )
              return
            }
            answer.on("error", () => outgoing.destroy())
            answer.pipe(outgoing)
          })
          onward.on("error", () => outgoing.destroy())
          outgoing.on("close", () => onward.destroy())
          onward.end(body)
        })
      })
      await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
      const proxy: HttpProxy = {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        seen,
        next: (...more) => void fates.push(...more),
        cut: () => server.closeAllConnections()
      }
      return { server, proxy }
    }),
    ({ server }) =>
      Effect.promise(
        () =>
          new Promise<void>((closed) => {
            server.close(() => closed())
            server.closeAllConnections()
          })
      )
  ).pipe(Effect.map(({ proxy }) => proxy))
