/**
 * Connections to one origin, with one request at a time on each. undici's own pool gives a connection its next request only after a round of the
 * event loop, and opens another connection meanwhile.
 */
import { Client, type Dispatcher } from "undici"
import type { Answer } from "./Answer.ts"

export class OriginConnections {
  readonly #origin: string
  readonly #options: Client.Options
  readonly #clients = new Set<Client>()
  /** Open and unused. The connection used last is used next, so that surplus ones stay idle and are closed. */
  readonly #free: Array<Client> = []

  constructor(origin: string, options: Client.Options) {
    this.#origin = origin
    this.#options = options
  }

  /** Whether an open connection is unused. */
  get hasFree(): boolean {
    return this.#free.length > 0
  }

  /** Sends a request whose answer `answer` takes; opens a connection when none is free. */
  send(request: Dispatcher.DispatchOptions, answer: Answer): void {
    const client = this.#free.pop() ?? this.#open()
    answer.over = (whole) => {
      if (whole) this.#free.push(client)
      else this.#drop(client)
    }
    client.dispatch(request, answer)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients].map((client) => client.destroy()))
  }

  #open(): Client {
    const client = new Client(this.#origin, this.#options)
    this.#clients.add(client)
    // It was idle for too long, or the other side closed it. A client that has a request by then connects again for it.
    client.on("disconnect", () => {
      const place = this.#free.indexOf(client)
      if (place < 0) return
      this.#free.splice(place, 1)
      this.#drop(client)
    })
    return client
  }

  #drop(client: Client): void {
    this.#clients.delete(client)
    void client.destroy()
  }
}
