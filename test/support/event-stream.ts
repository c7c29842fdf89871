/** A client of the live feed over a real socket that collects the events. */
export interface Received {
  readonly id?: string
  readonly event?: string
  readonly data?: Record<string, unknown>
}

export interface EventClient {
  readonly status: number
  readonly headers: Headers
  /** All events so far, without comments. */
  readonly events: ReadonlyArray<Received>
  readonly comments: () => number
  /** Waits until this many events of these types have come. */
  readonly until: (count: number, ...types: ReadonlyArray<string>) => Promise<ReadonlyArray<Received>>
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>
  readonly close: () => void
}

const parse = (block: string): Received => {
  const found: Record<string, string> = {}
  for (const line of block.split("\n")) {
    const at = line.indexOf(": ")
    if (at > 0) found[line.slice(0, at)] = line.slice(at + 2)
  }
  const { id, event, data } = found
  return {
    ...(id === undefined ? {} : { id }),
    ...(event === undefined ? {} : { event }),
    ...(data === undefined ? {} : { data: JSON.parse(data) })
  }
}

export const openEvents = async (
  base: string,
  key: string,
  {
    query = "",
    lastEventId,
    headers = {}
  }: { query?: string; lastEventId?: string; headers?: Record<string, string> } = {}
): Promise<EventClient> => {
  const stop = new AbortController()
  const response = await fetch(`${base}/api/events${query}`, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
      ...headers
    },
    signal: stop.signal
  })
  const events: Array<Received> = []
  let comments = 0
  let wake = () => {}
  const read = async () => {
    let rest = ""
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      rest += decoder.decode(chunk, { stream: true })
      const blocks = rest.split("\n\n")
      rest = blocks.pop() ?? ""
      for (const block of blocks) {
        if (block.startsWith(":")) comments++
        else if (!block.startsWith("retry:")) events.push(parse(block))
      }
      wake()
    }
  }
  const ended = read().then(
    () => wake(),
    (cause) => {
      wake()
      if (!stop.signal.aborted) throw cause
    }
  )
  ended.catch(() => {})
  const of = (types: ReadonlyArray<string>) =>
    types.length === 0 ? events : events.filter(({ event = "" }) => types.includes(event))
  const until = async (count: number, ...types: ReadonlyArray<string>) => {
    const deadline = Date.now() + 15_000
    while (of(types).length < count) {
      if (Date.now() > deadline)
        throw new Error(
          `only ${of(types).length} of ${count} events came: ${JSON.stringify(events.map(({ event }) => event))}`
        )
      await new Promise<void>((done) => {
        wake = done
        setTimeout(done, 100)
      })
    }
    return of(types)
  }
  return {
    status: response.status,
    headers: response.headers,
    events,
    comments: () => comments,
    until,
    ended,
    close: () => stop.abort()
  }
}
