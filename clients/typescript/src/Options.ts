/** Settings of a client, and of one request. */

export interface RequestOptions {
  /** Stops the request, the waiting for the next attempt, and the reading of a file. The call rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** How long one attempt may take, in milliseconds. Of a file and of events: until they begin. */
  readonly timeoutMs?: number | undefined
  /** How often a request that failed is sent again, where that is safe. 0: never. */
  readonly retries?: number | undefined
  /** The request may be done twice, e.g. a `PATCH` that nobody else makes meanwhile: it is sent again after a lost answer, too. */
  readonly repeatable?: boolean | undefined
  /** 1 to 255 printable ASCII characters. The client makes one for each `POST` that takes one; give your own to repeat it after a restart of yours. */
  readonly idempotencyKey?: string | undefined
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Events are waited for without an end, so nothing is sent again by number: a stream that breaks off goes on until it is stopped. */
export interface StreamOptions {
  /** Ends the stream: the loop rejects with the reason of the signal. `break` ends it, too. */
  readonly signal?: AbortSignal | undefined
  /** Goes on after the event with this id: the last one that was handled, e.g. before a restart. */
  readonly lastEventId?: string | undefined
  /** Without any sign of life for so long the stream is opened again, in milliseconds. The service gives one every 15 seconds. Default: 45,000. */
  readonly silenceMs?: number | undefined
  /** Called with true whenever the stream has been opened, and with false whenever it has broken off. */
  readonly onConnection?: ((open: boolean) => void) | undefined
  /** Called with the id of each stream that is opened, by which `events.watch` chooses the calls whose words it brings. */
  readonly onStream?: ((streamId: string) => void) | undefined
}

export interface ParleyOptions {
  /** The address of the service: `https://parley.example.com`. In a page that the service itself gives, `""`. */
  readonly baseUrl: string
  /** A key, `mk_…`. Without one the cookie of a signed-in person counts, as in a page of the service. */
  readonly apiKey?: string | undefined
  /** The `csrfToken` of the session, for a client without a key: asked for at each request that changes something. */
  readonly csrfToken?: (() => string | undefined) | undefined
  /** How long one attempt may take, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number | undefined
  /** How often a request that failed is sent again, where that is safe. Default: 3. */
  readonly retries?: number | undefined
  /** The longest time to wait between two attempts, in milliseconds. A `Retry-After` beyond it ends the attempts. Default: 60,000. */
  readonly longestWaitMs?: number | undefined
  /** Called with each answer, also with those that are tried again: for logs and figures. */
  readonly onAnswer?: ((answer: Answered) => void) | undefined
  /** Instead of the `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

export interface Answered {
  /** `contacts.create` */
  readonly operation: string
  readonly method: string
  readonly url: string
  readonly status: number
  /** 1 for the first one. */
  readonly attempt: number
  readonly requestId: string | undefined
  /** The answer is the stored one of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean
}
