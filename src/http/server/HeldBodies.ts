/** Counts what request bodies hold in memory, for the whole server and for each client. */

/** The most that bodies may hold. Bytes are counted beyond the first `uncountedBytes` of each body. */
export interface HeldBodiesLimits {
  /** Of all clients together, in bytes. */
  readonly bytes: number
  /** Of one client, in bytes. */
  readonly clientBytes: number
  /** How many handlers may wait at once for bodies of one client that have not arrived. */
  readonly clientWaiting: number
}

/** Bytes of each body that do not count. So slow, large bodies can block only other large bodies, not ordinary requests. */
export const uncountedBytes = 64 * 1024

interface Client {
  bytes: number
  waiting: number
}

/** A client is an address or a network (`clientNetwork`). It is remembered only while something of it is counted. */
export class HeldBodies {
  readonly #limits: HeldBodiesLimits
  readonly #clients = new Map<string, Client>()
  #bytes = 0

  constructor(limits: HeldBodiesLimits) {
    this.#limits = limits
  }

  /** How many clients are remembered. */
  get clients(): number {
    return this.#clients.size
  }

  #client(name: string): Client {
    const known = this.#clients.get(name)
    if (known !== undefined) return known
    const client = { bytes: 0, waiting: 0 }
    this.#clients.set(name, client)
    return client
  }
  #settle(name: string, client: Client): void {
    if (client.bytes === 0 && client.waiting === 0) this.#clients.delete(name)
  }

  /** Counts more bytes of a client. Gives false, and counts nothing, when they would exceed a limit. */
  take(name: string, bytes: number): boolean {
    const client = this.#client(name)
    const room = this.#bytes + bytes <= this.#limits.bytes && client.bytes + bytes <= this.#limits.clientBytes
    if (room) {
      this.#bytes += bytes
      client.bytes += bytes
    }
    this.#settle(name, client)
    return room
  }

  /** Takes back what `take` has counted. */
  release(name: string, bytes: number): void {
    const client = this.#client(name)
    this.#bytes -= bytes
    client.bytes -= bytes
    this.#settle(name, client)
  }

  /** Counts a handler that waits for a body of the client. Gives false, and counts nothing, when too many wait already. */
  wait(name: string): boolean {
    const client = this.#client(name)
    const room = client.waiting < this.#limits.clientWaiting
    if (room) client.waiting++
    this.#settle(name, client)
    return room
  }

  /** Takes back what `wait` has counted. */
  arrived(name: string): void {
    const client = this.#client(name)
    client.waiting--
    this.#settle(name, client)
  }
}
